//! Gives the positions of a search tree a few at a time, after `tree` with `lazy`.
//!
//! A front end opens the tree position by position, or walks through it in the order of the search.

use super::host::{Host, refusal};
use super::kept_tree::{Node, USUAL};
use alphorn_session::session::SessionResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most positions of one reply.
const MOST: usize = 2000;

/// A request for positions of the tree that the last `tree` request with `lazy` has made.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The `id` of a position: the reply gives the positions after one move from there.
    pub node: usize,
    /// How many of these positions to leave out first.
    pub from: usize,
    /// The most positions to give, by default 200.
    pub limit: Option<usize>,
    /// The first `id` and the one after the last: the reply gives these positions, in the order of the search, and
    /// `node` has no effect.
    pub range: Option<[usize; 2]>,
}

/// Positions of a search tree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "TreeNodesReply")]
pub struct Reply {
    /// The position that was asked about.
    pub node: usize,
    /// The number of all positions after one move from there.
    pub children: usize,
    /// The positions.
    pub nodes: Vec<Node>,
}

/// Gives positions of the tree.
///
/// # Errors
///
/// There is no tree, or it has no such position.
pub fn answer(request: &Request, host: &Host<'_>) -> SessionResult<Reply> {
    let missing = || refusal("there is no tree", "send \"tree\" with \"lazy\": true first");
    let kept = host.tree.as_ref().ok_or_else(missing)?;
    let all = kept.children.len();
    let of = |children: &[usize], limit: usize| children.iter().take(limit).map(|at| kept.node(*at)).collect();
    if let Some([from, to]) = request.range {
        let wanted: Vec<usize> = (from..to.min(all)).take(MOST).collect();
        return Ok(Reply { node: 0, children: kept.children[0].len(), nodes: of(&wanted, MOST) });
    }
    let unknown = || refusal(format!("the tree has no position {}", request.node), format!("it has 0 to {}", all - 1));
    let children = kept.children.get(request.node).ok_or_else(unknown)?;
    let rest = children.get(request.from..).unwrap_or_default();
    let nodes = of(rest, request.limit.unwrap_or(USUAL).min(MOST));
    Ok(Reply { node: request.node, children: children.len(), nodes })
}
