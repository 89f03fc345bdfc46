//! The legend of a tree: the meanings of the marks that occur in it.
//!
//! It takes a tree and returns small drawings with texts.

use super::paper::Entry;
use crate::tree::{CutReason, NodeKind, ScoreBound, SearchTree, TreeNode};
use alphorn_search::game::{Score, Side};

pub(super) fn entries<M>(tree: &SearchTree<M>) -> Vec<Entry> {
    let any = |holds: &dyn Fn(&TreeNode<M>) -> bool| tree.nodes.iter().any(holds);
    let is = |kind: NodeKind| any(&|node: &TreeNode<M>| node.kind == kind);
    let bounded = |node: &TreeNode<M>| node.value.is_some_and(|found| found.bound != ScoreBound::Exact);
    let decided = |node: &TreeNode<M>| {
        node.value.is_some_and(|found| matches!(found.score, Score::Win { .. } | Score::Loss { .. }))
    };
    let left = |node: &TreeNode<M>| node.cut.is_some();
    let deep = |node: &TreeNode<M>| matches!(node.cut, Some(CutReason::Window { deep: true, .. }));
    let all: [(bool, &str, &str); 13] = [
        (
            is(NodeKind::Player(Side::Max)),
            "<rect class=\"max\" x=\"2\" y=\"1\" width=\"22\" height=\"18\" rx=\"1.5\"/>",
            "MAX moves",
        ),
        (
            is(NodeKind::Player(Side::Min)),
            "<rect class=\"min\" x=\"2\" y=\"1\" width=\"22\" height=\"18\" rx=\"9\"/>",
            "MIN moves",
        ),
        (
            is(NodeKind::Chance),
            "<path class=\"chance\" d=\"M1 10L11 1H15L25 10L15 19H11Z\"/>",
            "chance moves; × weight",
        ),
        (
            is(NodeKind::Over),
            "<rect class=\"over\" x=\"3\" y=\"2\" width=\"20\" height=\"16\" rx=\"3\"/>",
            "the game is over",
        ),
        (
            is(NodeKind::Horizon),
            "<rect class=\"horizon\" x=\"3\" y=\"2\" width=\"20\" height=\"16\" rx=\"3\"/>",
            "the horizon: an estimate",
        ),
        (is(NodeKind::Repeated), "<text x=\"13\" y=\"15\">↻</text>", "repeats a position of the line: a draw"),
        (
            tree.nodes.len() > 1 && tree.nodes.iter().skip(1).any(|node| node.best),
            "<g class=\"branches\"><path class=\"best\" d=\"M3 10H23\"/></g>",
            "best play",
        ),
        (
            any(&left),
            "<g class=\"branches\"><path class=\"gone\" d=\"M1 10H25\"/><path class=\"bar\" d=\"M13 4V16\"/></g>",
            "cut off",
        ),
        (
            any(&deep),
            "<g class=\"branches\"><path class=\"gone\" d=\"M1 10H25\"/><path class=\"bar\" d=\"M11 4V16M15 4V16\"/></g>",
            "deep cutoff: by a bound from above the parent",
        ),
        (any(&bounded), "<text x=\"13\" y=\"15\">≤ ≥</text>", "bounds of the value"),
        (any(&decided), "<text x=\"13\" y=\"15\">W L</text>", "MAX wins or loses, and plies from the root"),
        (any(&|node| node.same.is_some()), "<text x=\"13\" y=\"15\">≡A</text>", "the same position"),
        (any(&|node| node.folded > 0), "<path class=\"folded\" d=\"M13 1L25 19H1Z\"/>", "positions not drawn"),
    ];
    all.into_iter().filter(|(has, ..)| *has).map(|(_, mark, text)| Entry { mark, text }).collect()
}
