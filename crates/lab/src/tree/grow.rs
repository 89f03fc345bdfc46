//! Grow: a tree while it is searched, folded where it gets too large.
//!
//! In: positions as a search enters and leaves them. Out: the tree. No more positions are kept than
//! asked for, but for the line of best play: where there are more, those off that line are folded,
//! the deepest first, into the positions before them, which count them. Must not know how a search
//! finds a value.

use super::{CutReason, NodeKind, NodeResult, TreeNode, Window};
use alphorn_search::game::Score;
use rustc_hash::FxHashMap;

/// A position with what is behind it.
pub(super) struct Branch<M> {
    pub(super) mv: Option<M>,
    pub(super) number: u32,
    pub(super) weight: Option<u64>,
    pub(super) key: u128,
    pub(super) kind: NodeKind,
    pub(super) window: Option<Window>,
    pub(super) judged: Option<Score>,
    pub(super) value: Option<NodeResult>,
    pub(super) cut: Option<CutReason>,
    pub(super) passed: Vec<(u32, M)>,
    pub(super) children: Vec<Branch<M>>,
    /// Which of the children is the best for the mover.
    pub(super) best: Option<usize>,
    /// The best that any child has given the mover, even where that is too little to count.
    pub(super) reached: Option<Score>,
    pub(super) quiet: bool,
    pub(super) seen: bool,
    pub(super) folded: u64,
    pub(super) again: u64,
}

impl<M> Branch<M> {
    /// A position that was not looked at yet.
    pub(super) fn new(mv: Option<M>, number: u32, weight: Option<u64>, key: u128) -> Branch<M> {
        Branch {
            mv,
            number,
            weight,
            key,
            kind: NodeKind::Horizon,
            window: None,
            judged: None,
            value: None,
            cut: None,
            passed: Vec::new(),
            children: Vec::new(),
            best: None,
            reached: None,
            quiet: false,
            seen: false,
            folded: 0,
            again: 0,
        }
    }

    /// Positions in memory, this one included.
    fn kept(&self) -> usize {
        1 + self.children.iter().map(Branch::kept).sum::<usize>()
    }

    /// Positions that were looked at and are told of, this one included.
    fn told(&self) -> u64 {
        u64::from(self.seen) + self.folded + self.again + self.children.iter().map(Branch::told).sum::<u64>()
    }

    /// Folds what lies off the line and below; gives how many positions that takes out of memory.
    fn fold(&mut self, ply: u32, fold: Fold, on_line: bool) -> usize {
        let best = self.best;
        if ply >= fold.from && !on_line {
            return self.drop_children(|_| false);
        }
        let mut gone = 0;
        if on_line && ply >= fold.narrow {
            gone += self.drop_children(|number| Some(number) == best);
        }
        let best = self.best;
        for (number, child) in self.children.iter_mut().enumerate() {
            gone += child.fold(ply + 1, fold, on_line && best == Some(number));
        }
        gone
    }

    /// Drops the children but some; those that were looked at go on being counted.
    fn drop_children(&mut self, stays: impl Fn(usize) -> bool) -> usize {
        let mut gone = 0;
        let mut left = Vec::new();
        let mut best = None;
        for (number, child) in std::mem::take(&mut self.children).into_iter().enumerate() {
            if stays(number) {
                best = Some(left.len());
                left.push(child);
                continue;
            }
            gone += child.kept();
            // What stands here to show a cut is again a move that was not looked at.
            match child.mv {
                Some(mv) if !child.seen => self.passed.push((child.number, mv)),
                _ => self.folded += Branch { mv: None, ..child }.told(),
            }
        }
        self.children = left;
        self.best = best;
        gone
    }
}

/// What is folded: off the line of best play all that is deeper than `from` plies; and what is deeper
/// than `narrow` beside that line.
#[derive(Clone, Copy)]
struct Fold {
    from: u32,
    narrow: u32,
}

/// A tree under way.
pub(super) struct GrowingTree<M> {
    /// The line that is looked at.
    pub(super) open: Vec<Branch<M>>,
    root: Option<Branch<M>>,
    most: usize,
    kept: usize,
    fold: Option<Fold>,
    deepest: u32,
}

impl<M> GrowingTree<M> {
    /// No position yet, and never many more than `most`.
    pub(super) fn new(most: usize) -> GrowingTree<M> {
        GrowingTree { open: Vec::new(), root: None, most, kept: 0, fold: None, deepest: 0 }
    }

    /// The position that is looked at.
    pub(super) fn top(&mut self) -> &mut Branch<M> {
        self.open.last_mut().expect("a position is looked at")
    }

    /// Goes on to a position.
    pub(super) fn enter(&mut self, branch: Branch<M>) {
        self.deepest = self.deepest.max(self.open.len() as u32);
        self.kept += 1;
        self.open.push(branch);
    }

    /// Leaves a position; where the same move was looked at before, that one counts no more.
    pub(super) fn leave(&mut self) {
        let done = self.open.pop().expect("a position is looked at");
        let Some(above) = self.open.last_mut() else {
            self.root = Some(done);
            return;
        };
        match above.children.iter().position(|child| child.number == done.number) {
            Some(at) => {
                let old = std::mem::replace(&mut above.children[at], done);
                self.kept -= old.kept();
                above.again += old.told();
            }
            None => above.children.push(done),
        }
    }

    /// Says of the child that was left last whether it is the best so far; then folds what is too much.
    pub(super) fn judge(&mut self, number: u32, improves: bool) {
        let (ply, fold) = (self.open.len() as u32, self.fold);
        let above = self.top();
        let at = above.children.iter().position(|child| child.number == number);
        if let (NodeKind::Player(mover), Some(found)) = (above.kind, at.and_then(|at| above.children[at].value)) {
            let found = found.score.seen_by(mover);
            let before = above.reached.map(|reached| reached.seen_by(mover));
            above.reached = Some(before.map_or(found, |before| before.max(found)).seen_by(mover));
        }
        let off_line =
            if improves { std::mem::replace(&mut above.best, at).filter(|old| Some(*old) != at) } else { at };
        if let (Some(fold), Some(off_line)) = (fold, off_line) {
            let gone = match ply > fold.narrow {
                true => self.top().drop_children(|number| number != off_line),
                false => self.top().children[off_line].fold(ply, fold, false),
            };
            self.kept -= gone;
        }
        while self.kept > self.most && self.tighten() {}
    }

    /// Folds a ply more everywhere; false where nothing was left to fold.
    fn tighten(&mut self) -> bool {
        let fold = match self.fold {
            None => Fold { from: self.deepest.saturating_sub(1), narrow: u32::MAX },
            Some(Fold { from: from @ 1.., narrow }) => Fold { from: from - 1, narrow },
            Some(Fold { from, narrow }) => Fold { from, narrow: narrow.min(self.deepest).saturating_sub(1) },
        };
        self.fold = Some(fold);
        self.fold_all(fold) > 0 || fold.narrow > 0
    }

    fn fold_all(&mut self, fold: Fold) -> usize {
        let mut gone = 0;
        for (ply, open) in self.open.iter_mut().enumerate() {
            let best = open.best;
            // The line that is looked at stays, for the best may be on it.
            if ply as u32 >= fold.narrow {
                gone += open.drop_children(|number| Some(number) == best);
            }
            let best = open.best;
            for (number, child) in open.children.iter_mut().enumerate() {
                gone += child.fold(ply as u32 + 1, fold, best == Some(number));
            }
        }
        self.kept -= gone;
        gone
    }

    /// The positions in order: those not left yet as well, if they were looked at.
    pub(super) fn finish(mut self) -> Vec<TreeNode<M>> {
        while self.open.len() > 1 && self.open.last().is_some_and(|top| !top.seen) {
            self.open.pop();
        }
        while !self.open.is_empty() {
            self.leave();
        }
        let mut nodes: Vec<TreeNode<M>> = Vec::new();
        let mut first: FxHashMap<u128, usize> = FxHashMap::default();
        let mut left: Vec<(Option<usize>, u32, bool, Branch<M>)> =
            self.root.into_iter().map(|root| (None, 0, true, root)).collect();
        while let Some((parent, ply, best, mut branch)) = left.pop() {
            let at = nodes.len();
            if let Some(parent) = parent {
                nodes[parent].children.push(at);
            }
            let goes_on = matches!(branch.kind, NodeKind::Player(_) | NodeKind::Chance);
            let twin = goes_on.then(|| *first.entry(branch.key).or_insert(at)).filter(|twin| *twin != at);
            if let Some(twin) = twin {
                nodes[twin].same = Some(twin);
            }
            let children = std::mem::take(&mut branch.children).into_iter().enumerate();
            let below = children.map(|(number, child)| (Some(at), ply + 1, best && branch.best == Some(number), child));
            left.extend(below.rev());
            nodes.push(TreeNode {
                parent,
                children: Vec::new(),
                ply,
                mv: branch.mv,
                number: branch.number,
                weight: branch.weight,
                kind: branch.kind,
                window: branch.window,
                judged: branch.judged,
                value: branch.value,
                cut: branch.cut,
                passed: branch.passed,
                best,
                same: twin,
                quiet: branch.quiet,
                seen: branch.seen,
                folded: branch.folded,
                again: branch.again,
            });
        }
        nodes
    }
}
