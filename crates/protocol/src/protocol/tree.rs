//! Shows the tree of a search: windows, values, cutoffs and their reasons.

use super::data::Number;
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Host, Listen};
use super::kept_tree::{KeptTree, Node, score};
use super::search::algorithms;
use super::words::{Spelled, Whole};
use alphorn_lab::tree::record::records;
use alphorn_lab::tree::svg::{self, Theme};
use alphorn_lab::tree::{NamedMove, SearchTree};
use alphorn_search::search::Algorithm;
use alphorn_session::session::SessionResult;
use alphorn_session::session::tree::TreeRequest;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// A request for the tree of a search.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// The position.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// Search N plies deep, at most 1000
    #[arg(long, value_name = "N", default_value = "3")]
    pub depth: Whole<0, 1000>,
    /// The search algorithm. By default `alphabeta`, and `star1` in a game with chance.
    #[arg(long, value_name = "NAME", help = algorithms("Search algorithm [default: alphabeta; for games with chance star1]", records))]
    pub algorithm: Option<Spelled<Algorithm>>,
    /// Keep N positions; fold the others, first those far from the principal variation and deep in the tree
    #[arg(long, value_name = "N", default_value = "2000")]
    pub max_nodes: Whole<1, 100_000>,
    /// Draw moves that were cut off too, with the values that the search did not need
    #[arg(long)]
    pub whole: bool,
    /// Try the moves in the order of the rules: advice and preferred moves have no effect
    #[arg(long)]
    pub no_advice: bool,
    /// Whether the reply also contains a picture of the tree, as SVG.
    #[arg(skip)]
    pub svg: bool,
    /// Whether the reply has only the root and its children. `tree-nodes` then gives the other positions.
    #[arg(skip)]
    pub lazy: bool,
}

command_line_defaults!(Request);

/// The tree of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The name of the search algorithm.
    pub algorithm: String,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The value of the root for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N - 1000000.
    /// Null if the search was stopped.
    pub value: Option<Number>,
    /// The principal variation: the labels of its moves, the best move first.
    pub pv: Vec<String>,
    /// The number of positions visited, including folded positions.
    pub visited: u64,
    /// The number of evaluations.
    pub evaluated: u64,
    /// The number of visited positions that are left out of `nodes`.
    pub folded: u64,
    /// The number of second visits, in another window, that are left out of `nodes`.
    pub again: u64,
    /// The number of positions that are kept. With `lazy` only some of them are in `nodes`.
    pub kept: usize,
    /// The positions that are kept, in the order of the search; the root is first.
    pub nodes: Vec<Node>,
    /// Whether an interrupt stopped the search. A position that was not finished then has no value.
    pub stopped: bool,
    /// The picture of the tree, as SVG text. Missing unless the request sets `svg`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// The tree, for the terminal.
    #[serde(skip)]
    pub tree: Arc<SearchTree<NamedMove>>,
    /// The title of a picture: the name of the game, and the position if it is short.
    #[serde(skip)]
    pub title: String,
}

/// Runs a search and keeps its tree.
///
/// # Errors
///
/// The rules or the position contain an error, or the algorithm has no tree.
pub fn answer(request: &Request, host: &mut Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let AtPosition { session, game, state, .. } = host.game((&request.form, &request.start), None, listen)?;
    // The rules answer no more questions after an interrupt.
    let position = session.position_text(&game, &state)?;
    let wish = TreeRequest {
        algorithm: request.algorithm.map(|algorithm| algorithm.0),
        depth: request.depth.get() as u32,
        most: request.max_nodes.get() as usize,
        whole: request.whole,
        advised: !request.no_advice,
    };
    let tree = Arc::new(session.search_tree(&game, &state, &wish)?);
    let loaded = host.load_options();
    let text = loaded.texts.first().map_or("", |text| &text.name);
    let title = title(loaded.files.first().map_or(text, String::as_str), &position);
    let all = || tree.nodes.iter().enumerate().map(|(at, node)| Node::of(at, node, &position)).collect();
    let kept = request.lazy.then(|| KeptTree::new(tree.clone(), position.clone()));
    let nodes = kept.as_ref().map_or_else(all, KeptTree::first);
    host.tree = kept;
    Ok(Reply {
        algorithm: tree.algorithm.name().to_string(),
        depth: tree.depth,
        value: tree.root().value.and_then(|found| score(found.score)),
        pv: tree.line().map(|named| named.label.clone()).collect(),
        visited: tree.visited,
        evaluated: tree.judged,
        folded: tree.nodes.iter().map(|node| node.folded).sum(),
        again: tree.nodes.iter().map(|node| node.again).sum(),
        kept: tree.nodes.len(),
        nodes,
        stopped: tree.stopped,
        svg: request.svg.then(|| svg::document(&tree, &title, Theme::Auto)),
        tree,
        title,
    })
}

/// The title of a tree: the name of the game, and the position if it is short.
fn title(file: &str, position: &str) -> String {
    let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    match position.chars().count() {
        0..=60 if !position.contains('\n') => format!("{stem}, {position}"),
        _ => stem.into_owned(),
    }
}
