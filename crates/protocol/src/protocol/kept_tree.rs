//! The positions of a search tree as data, and a tree that a host keeps for later requests.
//!
//! It takes a tree of the laboratory. It knows no request and no host.

use super::data::Number;
use alphorn_lab::tree::{self, NamedMove, NodeKind, ScoreBound, SearchTree};
use alphorn_search::game::{Score, Side};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// The most positions after one move, if a request does not say.
pub(super) const USUAL: usize = 200;

/// A position of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Node {
    /// The index of this position in `nodes`, from 0.
    pub id: usize,
    /// The index of the parent in `nodes`; null at the root.
    pub parent: Option<usize>,
    /// The number of plies from the root.
    pub ply: u32,
    /// The label of the move to this position; null at the root.
    pub label: Option<String>,
    /// The weight of the chance outcome; null if a player moved to this position.
    pub weight: Option<u64>,
    /// The position, in the notation of the game, or as a term if the game has no notation.
    pub position: String,
    /// The player to move, `chance`, or the reason why the search ends here.
    pub turn: Visited,
    /// Alpha and beta when the search entered the position; null for an infinite bound. Null if the search
    /// has no windows.
    pub window: Option<[Option<Number>; 2]>,
    /// The evaluation of the position; null if the search did not call `static_eval/2`.
    #[serde(rename = "static")]
    pub evaluation: Option<Number>,
    /// The value found, for MAX; null if there is none.
    pub value: Option<Number>,
    /// Whether `value` is the exact value of this search or a bound; null if there is no value.
    pub bound: Option<Bounds>,
    /// Whether the position is on the principal variation.
    pub pv: bool,
    /// The cutoff; null if the search skipped no moves.
    pub cut: Option<Cut>,
    /// The labels of the moves that the search skipped.
    pub skipped: Vec<String>,
    /// The index of the first node with this position, if the search continued there; null otherwise.
    pub same_as: Option<usize>,
    /// Whether the position is beyond the horizon, in the quiescence search.
    pub quiet: bool,
    /// Whether the search visited the position; false for a position that was cut off.
    pub visited: bool,
    /// The number of visited positions behind this position that are left out.
    pub folded: u64,
    /// The number of second visits behind this position, in another window, that are left out.
    pub again: u64,
    /// The number of positions after one move that are kept. Missing unless the request sets `lazy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<usize>,
}

/// The player to move in a position, or the reason why the search ends there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Visited {
    /// MAX moves.
    Max,
    /// MIN moves.
    Min,
    /// Chance moves.
    Chance,
    /// The game is over.
    Over,
    /// The position is at the horizon: the game is not over, but the search ends.
    Horizon,
    /// The position occurs earlier on the line, which is a draw.
    Repeated,
}

/// The relation of a value found to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Bounds {
    /// The value found is the value of the position.
    Exact,
    /// The value of the position is this value or greater.
    AtLeast,
    /// The value of the position is this value or less.
    AtMost,
}

/// The cutoff at a position whose other moves the search skipped.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cut {
    /// The reason for the cutoff.
    pub reason: Reason,
    /// Alpha at the cutoff; null for an infinite bound. Missing with another reason than `beta <= alpha`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Option<Number>>,
    /// Beta at the cutoff; null for an infinite bound. Missing with another reason than `beta <= alpha`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<Option<Number>>,
    /// Whether the cutoff is deep: its bound comes from above the parent. Missing with another reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep: Option<bool>,
}

/// The reason for a cutoff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub enum Reason {
    /// Beta is less than or equal to alpha: the value found is outside the window.
    #[serde(rename = "beta <= alpha")]
    Window,
    /// No other move can have a better value for the player to move.
    #[serde(rename = "none can be better")]
    Best,
    /// Mate-distance pruning: a quicker win is already known.
    #[serde(rename = "too late to matter")]
    Late,
}

/// A score as a number; `None` for a bound of the open window.
pub(super) fn score(score: Score) -> Option<Number> {
    match score {
        Score::Win { plies: 0 } | Score::Loss { plies: 0 } => None,
        Score::Value(value) if value.is_infinite() => None,
        score => Some(Number(score.to_number())),
    }
}

impl Node {
    pub(super) fn of(id: usize, node: &tree::TreeNode<NamedMove>, root: &str) -> Node {
        let bare = |reason| Cut { reason, alpha: None, beta: None, deep: None };
        Node {
            id,
            parent: node.parent,
            ply: node.ply,
            label: node.mv.as_ref().map(|named| named.label.clone()),
            weight: node.weight,
            position: node.mv.as_ref().map_or(root, |named| &named.position).to_string(),
            turn: match node.kind {
                NodeKind::Player(Side::Max) => Visited::Max,
                NodeKind::Player(Side::Min) => Visited::Min,
                NodeKind::Chance => Visited::Chance,
                NodeKind::Over => Visited::Over,
                NodeKind::Horizon => Visited::Horizon,
                NodeKind::Repeated => Visited::Repeated,
            },
            window: node.window.map(|window| [score(window.alpha), score(window.beta)]),
            evaluation: node.judged.and_then(score),
            value: node.value.and_then(|found| score(found.score)),
            bound: node.value.map(|found| match found.bound {
                ScoreBound::Exact => Bounds::Exact,
                ScoreBound::AtLeast => Bounds::AtLeast,
                ScoreBound::AtMost => Bounds::AtMost,
            }),
            pv: node.best,
            cut: node.cut.map(|cut| match cut {
                tree::CutReason::Window { alpha, beta, deep } => {
                    Cut { reason: Reason::Window, alpha: Some(score(alpha)), beta: Some(score(beta)), deep: Some(deep) }
                }
                tree::CutReason::Best => bare(Reason::Best),
                tree::CutReason::Late => bare(Reason::Late),
            }),
            skipped: node.passed.iter().map(|(_, named)| named.label.clone()).collect(),
            same_as: node.same,
            quiet: node.quiet,
            visited: node.seen,
            folded: node.folded,
            again: node.again,
            children: None,
        }
    }
}

/// A tree that a host keeps for later requests.
#[derive(Clone, Debug)]
pub struct KeptTree {
    tree: Arc<SearchTree<NamedMove>>,
    /// The root as text.
    position: String,
    /// The positions after one move, for each position.
    pub(super) children: Vec<Vec<usize>>,
}

impl KeptTree {
    pub(super) fn new(tree: Arc<SearchTree<NamedMove>>, position: String) -> KeptTree {
        let mut children = vec![Vec::new(); tree.nodes.len()];
        for (at, parent) in tree.nodes.iter().enumerate().filter_map(|(at, node)| Some((at, node.parent?))) {
            children[parent].push(at);
        }
        KeptTree { tree, position, children }
    }

    /// The position with this `id`.
    pub(super) fn node(&self, at: usize) -> Node {
        Node { children: Some(self.children[at].len()), ..Node::of(at, &self.tree.nodes[at], &self.position) }
    }

    /// The root and its first children.
    pub(super) fn first(&self) -> Vec<Node> {
        let below = self.children.first().into_iter().flatten();
        std::iter::once(0).chain(below.copied().take(USUAL)).map(|at| self.node(at)).collect()
    }
}
