//! The scene of a tree: the items to draw, and the texts of scores and windows.
//!
//! It takes a tree whose moves have names. It returns positions, cut-off moves and folded positions as
//! items, and texts that all drawings share. It does not know where an item is placed.

use super::{CutReason, NamedMove, NodeKind, NodeResult, ScoreBound, SearchTree, TreeNode, TreeWindow};
use alphorn_search::game::{Score, Side};

/// The maximum number of left-out moves that are drawn one by one.
const FEW: usize = 3;

/// The maximum length of a label in characters.
const LONGEST: usize = 24;

/// The character set of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// ASCII only.
    Ascii,
    /// Characters of a terminal.
    Terminal,
    /// Characters of a page, with short texts.
    Page,
}

/// The content of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ItemContent {
    /// A node, by its index.
    Node(usize),
    /// Left-out moves of the parent: the index of the first one, and their number.
    Passed(usize, usize),
    /// Folded positions, by their number.
    Folded(u64),
}

/// An item of a drawing.
pub(super) struct Item {
    pub(super) what: ItemContent,
    /// The parent item.
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    pub(super) ply: u32,
}

/// All items; each comes before its children.
pub(super) struct Scene<'a> {
    pub(super) tree: &'a SearchTree<NamedMove>,
    pub(super) items: Vec<Item>,
    /// The nodes whose positions occur again, in order.
    twins: Vec<usize>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(tree: &'a SearchTree<NamedMove>) -> Scene<'a> {
        let mut items: Vec<Item> = Vec::new();
        let mut left: Vec<(Option<usize>, ItemContent)> = vec![(None, ItemContent::Node(0))];
        while let Some((parent, what)) = left.pop() {
            let at = items.len();
            let mut ply = 0;
            if let Some(parent) = parent {
                items[parent].children.push(at);
                ply = items[parent].ply + 1;
            }
            items.push(Item { what, parent, children: Vec::new(), ply });
            let ItemContent::Node(number) = what else { continue };
            let node = &tree.nodes[number];
            let mut below: Vec<ItemContent> = node.children.iter().map(|child| ItemContent::Node(*child)).collect();
            below.extend((node.folded > 0).then_some(ItemContent::Folded(node.folded)));
            match node.passed.len() {
                0 => {}
                few @ 1..=FEW => below.extend((0..few).map(|first| ItemContent::Passed(first, 1))),
                many => below.push(ItemContent::Passed(0, many)),
            }
            left.extend(below.into_iter().rev().map(|what| (Some(at), what)));
        }
        let again = |(at, node): (usize, &TreeNode<NamedMove>)| (node.same == Some(at)).then_some(at);
        Scene { tree, items, twins: tree.nodes.iter().enumerate().filter_map(again).collect() }
    }

    /// The node of an item, if the item is a position.
    pub(super) fn node(&self, item: usize) -> Option<&'a TreeNode<NamedMove>> {
        match self.items[item].what {
            ItemContent::Node(number) => Some(&self.tree.nodes[number]),
            ItemContent::Passed(..) | ItemContent::Folded(_) => None,
        }
    }

    /// The left-out moves of an item.
    pub(super) fn passed(&self, item: usize) -> &'a [(u32, NamedMove)] {
        let above = self.items[item].parent.and_then(|parent| self.node(parent));
        match (self.items[item].what, above) {
            (ItemContent::Passed(first, count), Some(node)) => &node.passed[first..first + count],
            _ => &[],
        }
    }

    /// The letter of a position that occurs several times in the tree.
    pub(super) fn twin(&self, node: &TreeNode<NamedMove>) -> Option<String> {
        self.twins.binary_search(&node.same?).ok().map(letters)
    }
}

/// The name of a number: A, B, ..., Z, AA, AB, ...
fn letters(mut number: usize) -> String {
    let mut word = Vec::new();
    loop {
        word.push(char::from(b'A' + (number % 26) as u8));
        match number / 26 {
            0 => break,
            more => number = more - 1,
        }
    }
    word.into_iter().rev().collect()
}

/// A label, shortened if necessary.
pub(super) fn label(text: &str, letters: Letters) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let dots = if letters == Letters::Ascii { "..." } else { "…" };
    text.chars().take(LONGEST - 1).chain(dots.chars()).collect()
}

impl Letters {
    fn pick(self, ascii: &'static str, other: &'static str) -> &'static str {
        if self == Letters::Ascii { ascii } else { other }
    }

    /// A number with at most four decimals, or in scientific notation.
    fn number(self, number: f64) -> String {
        if number.is_infinite() {
            return format!("{}{}", self.sign(number), self.pick("inf", "∞"));
        }
        let size = number.abs();
        let text = match size {
            _ if size.fract() == 0.0 && size < 1e15 => format!("{size:.0}"),
            _ if (1e-3..1e9).contains(&size) => format!("{size:.4}").trim_end_matches('0').trim_end_matches('.').into(),
            _ => format!("{size:e}"),
        };
        format!("{}{text}", self.sign(number))
    }

    fn sign(self, number: f64) -> &'static str {
        match self {
            _ if number >= 0.0 => "",
            Letters::Page => "−",
            Letters::Ascii | Letters::Terminal => "-",
        }
    }

    /// A score for MAX as text.
    pub(super) fn score(self, score: Score) -> String {
        match (score, self) {
            (Score::Value(number), _) => self.number(number + 0.0),
            (Score::Win { plies }, Letters::Page) => format!("W{plies}"),
            (Score::Loss { plies }, Letters::Page) => format!("L{plies}"),
            (score, _) => score.to_string(),
        }
    }

    /// The result of a position; a question mark if there is none.
    pub(super) fn found(self, found: Option<NodeResult>) -> String {
        let Some(NodeResult { score, bound }) = found else { return "?".to_string() };
        let sign = match bound {
            ScoreBound::Exact => "",
            ScoreBound::AtLeast => self.pick(">=", "≥"),
            ScoreBound::AtMost => self.pick("<=", "≤"),
        };
        format!("{sign}{}", self.score(score))
    }

    /// A window, with infinities for open ends. A null window is written as one number with a sign.
    pub(super) fn window(self, window: TreeWindow) -> String {
        let open = |score: Score| matches!(score, Score::Win { plies: 0 } | Score::Loss { plies: 0 });
        let end = |score: Score| match score {
            score if open(score) => self.number(score.to_number() * f64::INFINITY),
            score => self.score(score),
        };
        let TreeWindow { alpha, beta } = window;
        let null = alpha.rank().checked_add(1) == Some(beta.rank()) && !open(alpha) && !open(beta);
        match null {
            // Of two adjacent numbers, the round one has fewer digits.
            true if alpha.to_string().len() <= beta.to_string().len() => {
                format!("({0}, {0}{1})", end(alpha), self.pick("+", "⁺"))
            }
            true => format!("({0}{1}, {0})", end(beta), self.pick("-", "⁻")),
            false => format!("({}, {})", end(alpha), end(beta)),
        }
    }

    /// The reason for a cutoff.
    pub(super) fn cut(self, cut: CutReason) -> String {
        match cut {
            CutReason::Window { alpha, beta, .. } => format!(
                "{} {} {}: {} {1} {}",
                self.pick("beta", "β"),
                self.pick("<=", "≤"),
                self.pick("alpha", "α"),
                self.score(beta),
                self.score(alpha)
            ),
            CutReason::Best => "none can be better".to_string(),
            CutReason::Late => "too late to matter".to_string(),
        }
    }

    /// The player to move, or the mark of a leaf.
    pub(super) fn kind(self, kind: NodeKind) -> &'static str {
        match kind {
            NodeKind::Player(Side::Max) => "MAX",
            NodeKind::Player(Side::Min) => "MIN",
            NodeKind::Chance => "chance",
            NodeKind::Over => "",
            NodeKind::Horizon => self.pick("~", "≈"),
            NodeKind::Repeated => self.pick("again ", "↻ "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_short() {
        let page = Letters::Page;
        assert_eq!(page.score(Score::Value(-3.5)), "−3.5");
        assert_eq!(page.score(Score::Win { plies: 3 }), "W3");
        assert_eq!(Letters::Ascii.score(Score::Value(1.0 / 3.0)), "0.3333");
        let open = TreeWindow { alpha: Score::Loss { plies: 0 }, beta: Score::Win { plies: 0 } };
        assert_eq!(page.window(open), "(−∞, ∞)");
        assert_eq!(Letters::Ascii.window(open), "(-inf, inf)");
        let null = TreeWindow { alpha: Score::Value(3.0), beta: Score::Value(3.0f64.next_up()) };
        assert_eq!(page.window(null), "(3, 3⁺)");
        let cut = CutReason::Window { alpha: Score::Value(5.0), beta: Score::Value(3.0), deep: false };
        assert_eq!(page.cut(cut), "β ≤ α: 3 ≤ 5");
        assert_eq!([0, 25, 26, 701, 702].map(letters), ["A", "Z", "AA", "ZZ", "AAA"]);
    }
}
