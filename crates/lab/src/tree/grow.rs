//! A tree that grows during a search, and folds nodes if it gets too large.
//!
//! It takes positions as a search enters and leaves them, and returns the tree. It keeps at most a given
//! number of positions, beside the principal variation. Other positions are folded into their parents,
//! the deepest first, and only counted. It does not know how a search finds a value.

use super::{CutReason, NodeKind, NodeResult, TreeNode, TreeWindow};
use alphorn_search::game::Score;
use rustc_hash::FxHashMap;

/// A node with its subtree.
pub(super) struct Branch<M> {
    pub(super) mv: Option<M>,
    pub(super) number: u32,
    pub(super) weight: Option<u64>,
    pub(super) key: u128,
    pub(super) kind: NodeKind,
    pub(super) window: Option<TreeWindow>,
    pub(super) judged: Option<Score>,
    pub(super) value: Option<NodeResult>,
    pub(super) cut: Option<CutReason>,
    pub(super) passed: Vec<(u32, M)>,
    pub(super) children: Vec<Branch<M>>,
    /// The index of the best child for the side to move.
    pub(super) best: Option<usize>,
    /// The best score of a child for the side to move, even if it is below the window.
    pub(super) reached: Option<Score>,
    pub(super) quiet: bool,
    pub(super) seen: bool,
    pub(super) folded: u64,
    pub(super) again: u64,
}

impl<M> Branch<M> {
    /// A node that is not visited yet.
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

    /// The number of nodes in memory, with this one.
    fn kept(&self) -> usize {
        1 + self.children.iter().map(Branch::kept).sum::<usize>()
    }

    /// The number of visited nodes in this subtree, with folded ones.
    fn told(&self) -> u64 {
        u64::from(self.seen) + self.folded + self.again + self.children.iter().map(Branch::told).sum::<u64>()
    }

    /// Folds the nodes that `fold` selects. Returns the number of removed nodes.
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

    /// Removes all children except some. Visited ones stay counted.
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
            // A node that only shows a cutoff becomes a left-out move again.
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

/// What to fold: nodes off the principal variation that are deeper than `from` plies, and nodes beside
/// that line that are deeper than `narrow`.
#[derive(Clone, Copy)]
struct Fold {
    from: u32,
    narrow: u32,
}

/// A tree under construction.
pub(super) struct GrowingTree<M> {
    /// The nodes on the current line of the search.
    pub(super) open: Vec<Branch<M>>,
    root: Option<Branch<M>>,
    most: usize,
    kept: usize,
    fold: Option<Fold>,
    deepest: u32,
}

impl<M> GrowingTree<M> {
    /// An empty tree that keeps about `most` positions.
    pub(super) fn new(most: usize) -> GrowingTree<M> {
        GrowingTree { open: Vec::new(), root: None, most, kept: 0, fold: None, deepest: 0 }
    }

    /// The current position of the search.
    pub(super) fn top(&mut self) -> &mut Branch<M> {
        self.open.last_mut().expect("a position is looked at")
    }

    /// Enters a position.
    pub(super) fn enter(&mut self, branch: Branch<M>) {
        self.deepest = self.deepest.max(self.open.len() as u32);
        self.kept += 1;
        self.open.push(branch);
    }

    /// Leaves a position. An earlier visit after the same move is replaced and only counted.
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

    /// Records whether the child that was left last is the best so far. Then folds if the tree is too
    /// large.
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

    /// Folds one more ply of the whole tree. Returns false if nothing is left to fold.
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
            // The current line stays, because the best move may be on it.
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

    /// The nodes in order, with visited positions that the search has not left yet.
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
