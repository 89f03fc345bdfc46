//! Search trees: what a search visited, position by position, for display.
//!
//! It takes a game, a position and an algorithm. It returns a [`SearchTree`] with players, windows,
//! values, bounds and cutoffs, and draws it as text, as SVG and for Graphviz. The searches of `search`
//! keep no tree, so that they stay fast. Here they are written again in a plain form, and
//! `tests/games/tree.rs` compares values and counts. Trees do not depend on the rule language or on where
//! a drawing is shown.

mod grow;
mod layout;
mod scene;

pub mod dot;
pub mod record;
pub mod svg;
pub mod text;

use alphorn_search::game::{Score, Side};
use alphorn_search::search::Algorithm;
pub use scene::Letters;

/// The tree of a search. Every score is for MAX, and every distance counts from the root.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTree<M> {
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// The depth in plies.
    pub depth: u32,
    /// The kept positions in the order of the visits: parents come before their children, and the root
    /// first.
    pub nodes: Vec<TreeNode<M>>,
    /// The number of visited positions as the search counts them: kept, folded, and visited again.
    pub visited: u64,
    /// The number of evaluations.
    pub judged: u64,
    /// Whether the search was stopped. Unfinished positions then have no value.
    pub stopped: bool,
}

/// The kind of a position in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A side is to move.
    Player(Side),
    /// Chance is to move.
    Chance,
    /// The game is over.
    Over,
    /// The search stops here because of its depth.
    Horizon,
    /// The position repeats one of the line, which is a draw.
    Repeated,
}

/// How a score relates to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// The score is the value.
    Exact,
    /// The value is at least the score.
    AtLeast,
    /// The value is at most the score.
    AtMost,
}

/// The result of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeResult {
    /// The score for MAX.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: ScoreBound,
}

/// A search window: the scores for MAX above `alpha` and below `beta`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeWindow {
    /// The score that MAX can already force elsewhere.
    pub alpha: Score,
    /// The score that MIN can already force elsewhere.
    pub beta: Score,
}

/// The reason why a search left out moves of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CutReason {
    /// `beta <= alpha`: one side can force as much elsewhere.
    Window {
        /// The score that MAX can force, here or elsewhere.
        alpha: Score,
        /// The score that MIN can force, here or elsewhere.
        beta: Score,
        /// Whether the bound comes from an ancestor above the parent.
        deep: bool,
    },
    /// No move can be better for the side to move.
    Best,
    /// The window is about a game that ends earlier than here: mate-distance pruning.
    Late,
}

/// A node of a search tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode<M> {
    /// The parent; `None` for the root.
    pub parent: Option<usize>,
    /// The kept nodes after the searched moves, in the order of the search.
    pub children: Vec<usize>,
    /// Plies from the root.
    pub ply: u32,
    /// The move to this node; `None` for the root.
    pub mv: Option<M>,
    /// The number of that move in the order of the game, from 1.
    pub number: u32,
    /// The weight of a chance outcome; `None` for a move of a player.
    pub weight: Option<u64>,
    /// The kind of the position.
    pub kind: NodeKind,
    /// The window on entry; `None` if the search uses no windows.
    pub window: Option<TreeWindow>,
    /// The evaluation, if the search called the heuristic here.
    pub judged: Option<Score>,
    /// The result; `None` if the search was stopped earlier.
    pub value: Option<NodeResult>,
    /// The reason for left-out moves.
    pub cut: Option<CutReason>,
    /// The left-out moves with their numbers, unless they are nodes that are not `seen`.
    pub passed: Vec<(u32, M)>,
    /// Whether the node is on the principal variation.
    pub best: bool,
    /// The first node with the same position, if there are several and the search continues there.
    pub same: Option<usize>,
    /// Whether the node belongs to the quiescence search beyond the horizon.
    pub quiet: bool,
    /// Whether the search visited the node; otherwise the node shows what was cut off.
    pub seen: bool,
    /// The number of visited positions below this node that are not kept.
    pub folded: u64,
    /// The number of positions below this node that were visited again with another window.
    pub again: u64,
}

/// A move with the position after it, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedMove {
    /// The label of the move.
    pub label: String,
    /// The position after the move in the notation of the game.
    pub position: String,
}

impl<M> SearchTree<M> {
    /// The root.
    pub fn root(&self) -> &TreeNode<M> {
        &self.nodes[0]
    }

    /// The moves of the principal variation, as far as they are kept.
    pub fn line(&self) -> impl Iterator<Item = &M> {
        self.nodes.iter().filter(|node| node.best).filter_map(|node| node.mv.as_ref())
    }

    /// The same tree with other moves. `name` receives the move to the parent, the number of the move in
    /// the order of the game, from 1, and the move. Errs with the first error of `name`.
    pub fn name<N, E>(&self, mut name: impl FnMut(Option<&M>, u32, &M) -> Result<N, E>) -> Result<SearchTree<N>, E> {
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let before = node.parent.and_then(|parent| self.nodes[parent].mv.as_ref());
            let mut after = |number: u32, mv| Ok((number, name(node.mv.as_ref(), number, mv)?));
            let passed: Result<Vec<_>, E> = node.passed.iter().map(|(number, mv)| after(*number, mv)).collect();
            nodes.push(TreeNode {
                parent: node.parent,
                children: node.children.clone(),
                ply: node.ply,
                mv: node.mv.as_ref().map(|mv| name(before, node.number, mv)).transpose()?,
                number: node.number,
                weight: node.weight,
                kind: node.kind,
                window: node.window,
                judged: node.judged,
                value: node.value,
                cut: node.cut,
                passed: passed?,
                best: node.best,
                same: node.same,
                quiet: node.quiet,
                seen: node.seen,
                folded: node.folded,
                again: node.again,
            });
        }
        let SearchTree { algorithm, depth, visited, judged, stopped, .. } = *self;
        Ok(SearchTree { algorithm, depth, nodes, visited, judged, stopped })
    }
}
