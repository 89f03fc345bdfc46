//! The tree of a search as JSON: every position with all that is known of it.

use crate::cli::output::number;
use alphorn_lab::tree::{Bound, Cut, Kind, Named, Node, SearchTree, Window};
use alphorn_search::game::{Score, Side};
use serde_json::{Value, json};

pub(super) fn object(tree: &SearchTree<Named>, position: &str) -> Value {
    let line: Vec<&str> = tree.line().map(|named| named.label.as_str()).collect();
    let nodes: Vec<Value> = tree.nodes.iter().enumerate().map(|(at, node)| node_json(at, node, position)).collect();
    json!({
        "algorithm": tree.algorithm.name(),
        "depth": tree.depth,
        "value": tree.root().value.map(|found| score(found.score)),
        "pv": line,
        "visited": tree.visited,
        "judged": tree.judged,
        "folded": tree.nodes.iter().map(|node| node.folded).sum::<u64>(),
        "again": tree.nodes.iter().map(|node| node.again).sum::<u64>(),
        "nodes": nodes,
        "stopped": tree.stopped,
    })
}

/// A score as a number; null for an end of an open window.
fn score(score: Score) -> Value {
    match score {
        Score::Win { plies: 0 } | Score::Loss { plies: 0 } => Value::Null,
        Score::Value(value) if value.is_infinite() => Value::Null,
        score => number(score.to_number()),
    }
}

fn node_json(at: usize, node: &Node<Named>, root: &str) -> Value {
    let turn = match node.kind {
        Kind::Player(Side::Max) => "max",
        Kind::Player(Side::Min) => "min",
        Kind::Chance => "chance",
        Kind::Over => "over",
        Kind::Horizon => "horizon",
        Kind::Repeated => "repeated",
    };
    let bound = node.value.map(|found| match found.bound {
        Bound::Exact => "exact",
        Bound::AtLeast => "at_least",
        Bound::AtMost => "at_most",
    });
    let window = node.window.map(|Window { alpha, beta }| json!([score(alpha), score(beta)]));
    let cut = node.cut.map(|cut| match cut {
        Cut::Window { alpha, beta, deep } => {
            json!({ "reason": "beta <= alpha", "alpha": score(alpha), "beta": score(beta), "deep": deep })
        }
        Cut::Best => json!({ "reason": "none can be better" }),
        Cut::Late => json!({ "reason": "too late to matter" }),
    });
    json!({
        "id": at,
        "parent": node.parent,
        "ply": node.ply,
        "label": node.mv.as_ref().map(|named| &named.label),
        "weight": node.weight,
        "position": node.mv.as_ref().map_or(root, |named| &named.position),
        "turn": turn,
        "window": window,
        "static": node.judged.map(score),
        "value": node.value.map(|found| score(found.score)),
        "bound": bound,
        "pv": node.best,
        "cut": cut,
        "passed": node.passed.iter().map(|(_, named)| named.label.as_str()).collect::<Vec<_>>(),
        "same_as": node.same,
        "quiet": node.quiet,
        "seen": node.seen,
        "folded": node.folded,
        "again": node.again,
    })
}
