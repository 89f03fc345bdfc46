//! Tree: what a search has looked at, position by position, kept to be seen.
//!
//! In: a game, a position, how to search. Out: a [`SearchTree`]: who moves where, windows, values
//! and bounds, what was cut off and why; and its drawings as text, as SVG and for Graphviz. The
//! searches of `search` keep no tree and are not slowed down by one: here they are written once
//! more, plainly, and `tests/tree.rs` holds their values and counts against the others.
//! Must not know what a game is written in, nor where a drawing is shown. For `session`, `lab` and
//! whoever shows what they give.

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

/// The tree of a search. Every score is for Max, every distance counts from the root.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTree<M> {
    /// How it was searched.
    pub algorithm: Algorithm,
    /// How many plies ahead.
    pub depth: u32,
    /// The positions that are kept, each before those behind it, in the order in which they were
    /// looked at; the root first.
    pub nodes: Vec<TreeNode<M>>,
    /// Positions visited, as the search counts them: those that are kept and were looked at, those
    /// that are folded, and those that were looked at again.
    pub visited: u64,
    /// Positions judged.
    pub judged: u64,
    /// Whether the search was stopped: a position that it had not finished has no value.
    pub stopped: bool,
}

/// What a position is to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A side moves.
    Player(Side),
    /// Chance moves.
    Chance,
    /// The game has ended.
    Over,
    /// The game goes on, and the search does not.
    Horizon,
    /// It stands on the line above already, and that is a draw.
    Repeated,
}

/// How a score stands to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    AtLeast,
    /// The value is this or less.
    AtMost,
}

/// What was found of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeResult {
    /// For Max.
    pub score: Score,
    /// Whether that is the value.
    pub bound: ScoreBound,
}

/// The scores for Max that matter to a search: those above `alpha` and below `beta`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// What Max is sure of elsewhere.
    pub alpha: Score,
    /// What Min is sure of elsewhere.
    pub beta: Score,
}

/// Why a position was left before all of its moves were looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CutReason {
    /// `beta <= alpha`: a side is sure of as much elsewhere.
    Window {
        /// What Max is sure of, here or elsewhere.
        alpha: Score,
        /// What Min is sure of, here or elsewhere.
        beta: Score,
        /// Whether the bound comes from further up than the parent.
        deep: bool,
    },
    /// Nothing can be better for the mover.
    Best,
    /// The window is about a game that ends sooner than here.
    Late,
}

/// A position of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode<M> {
    /// The position before; none of the root.
    pub parent: Option<usize>,
    /// The positions after the moves that were looked at and are kept, in the order of the search.
    pub children: Vec<usize>,
    /// Plies from the root.
    pub ply: u32,
    /// The move to it; none of the root.
    pub mv: Option<M>,
    /// The number of that move in the order of the game, from 1.
    pub number: u32,
    /// Where chance moved there: how likely it was, as a weight.
    pub weight: Option<u64>,
    /// What it is to the search.
    pub kind: NodeKind,
    /// The window that it was entered with; none where the search has no windows.
    pub window: Option<Window>,
    /// What the heuristic says of it, where it was asked.
    pub judged: Option<Score>,
    /// What was found of it; none where the search was stopped before.
    pub value: Option<NodeResult>,
    /// Why moves are left over.
    pub cut: Option<CutReason>,
    /// The moves that were not looked at, with their numbers as above, unless they are drawn as
    /// positions that are not `seen`.
    pub passed: Vec<(u32, M)>,
    /// Whether it stands on the line of best play.
    pub best: bool,
    /// The first node with the same position, where there are several and the search goes on there.
    pub same: Option<usize>,
    /// Whether it lies behind the horizon, where only restless positions are followed.
    pub quiet: bool,
    /// Whether the search looked at it; else it stands here to show what was cut off.
    pub seen: bool,
    /// Positions behind it that were looked at as it was, and are not kept.
    pub folded: u64,
    /// Positions behind it that were looked at, and then looked at again in another window.
    pub again: u64,
}

/// A move to be shown, and where it leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedMove {
    /// How people call the move.
    pub label: String,
    /// The position after it, as people write it.
    pub position: String,
}

impl<M> SearchTree<M> {
    /// The root.
    pub fn root(&self) -> &TreeNode<M> {
        &self.nodes[0]
    }

    /// The moves of best play, as far as they are kept.
    pub fn line(&self) -> impl Iterator<Item = &M> {
        self.nodes.iter().filter(|node| node.best).filter_map(|node| node.mv.as_ref())
    }

    /// The same tree with other words for moves. Errs with the first move that has none. `name` is
    /// told the move that led to the position before, the number of the move in the order of the
    /// game, from 1, and the move.
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
