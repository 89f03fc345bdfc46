//! Shows the tree of a search: windows, values, cutoffs and their reasons.

use super::data::Number;
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Host, Listen};
use super::search::algorithms;
use super::words::{Spelled, Whole};
use alphorn_lab::tree::record::records;
use alphorn_lab::tree::svg::{self, Theme};
use alphorn_lab::tree::{self, NamedMove, NodeKind, ScoreBound, SearchTree};
use alphorn_search::game::{Score, Side};
use alphorn_search::search::Algorithm;
use alphorn_session::session::SessionResult;
use alphorn_session::session::tree::TreeRequest;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Which tree.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    #[command(flatten)]
    #[serde(flatten)]
    /// From where
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
    /// Search N plies deep, at most 1000
    #[arg(long, value_name = "N", default_value = "3")]
    pub depth: Whole<0, 1000>,
    /// Of which search
    #[arg(long, value_name = "NAME", help = algorithms("Search algorithm [default: alphabeta; for games with chance star1]", records))]
    pub algorithm: Option<Spelled<Algorithm>>,
    /// Keep N positions; fold the others, first those far from the principal variation and deep in the tree
    #[arg(long, value_name = "N", default_value = "2000")]
    pub max_nodes: Whole<1, 100_000>,
    /// Draw moves that were cut off too, with the values that the search did not need
    #[arg(long)]
    pub whole: bool,
    /// Draw a picture too, as SVG
    #[arg(skip)]
    pub svg: bool,
}

command_line_defaults!(Request);

/// The tree of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// how it was searched
    pub algorithm: String,
    /// how many plies ahead
    pub depth: u32,
    /// worth of the position for MAX; a declared win is 1000000 less its plies, a declared loss the negative of that; null if the search was stopped before
    pub value: Option<Number>,
    /// the line of best play: labels of moves
    pub pv: Vec<String>,
    /// positions visited, those that are folded included
    pub visited: u64,
    /// positions evaluated
    pub evaluated: u64,
    /// positions that were visited and are left out
    pub folded: u64,
    /// positions that were visited again in another window, and are left out
    pub again: u64,
    /// the positions that are kept, in the order of the search, the root first
    pub nodes: Vec<Node>,
    /// the search was stopped before it was done: a position that it had not finished has no value
    pub stopped: bool,
    /// the picture, as SVG; only if asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// The same as it is drawn.
    #[serde(skip)]
    pub tree: Arc<SearchTree<NamedMove>>,
    /// The game by its name, and its position where that is short.
    #[serde(skip)]
    pub title: String,
}

/// A position of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Node {
    /// its place in `nodes`, from 0
    pub id: usize,
    /// the position before; null at the root
    pub parent: Option<usize>,
    /// plies from the root
    pub ply: u32,
    /// label of the move to it; null at the root
    pub label: Option<String>,
    /// of a move of chance: how likely it is, as a weight; otherwise null
    pub weight: Option<u64>,
    /// the position, in the notation of the game or as a term
    pub position: String,
    /// what it is to the search
    pub turn: Visited,
    /// alpha and beta with which it was entered, each null if it bounds nothing; null if the search has no windows
    pub window: Option<[Option<Number>; 2]>,
    /// what the evaluation gives for it; null if it was not asked
    #[serde(rename = "static")]
    pub evaluation: Option<Number>,
    /// what was found of it, for MAX; null if nothing was
    pub value: Option<Number>,
    /// how that stands to the value of the position; null if nothing was found
    pub bound: Option<Bounds>,
    /// it is on the line of best play
    pub pv: bool,
    /// why moves are left over; null if none are
    pub cut: Option<Cut>,
    /// labels of the moves that were not looked at
    pub skipped: Vec<String>,
    /// the first node with the same position, if the search goes on there; otherwise null
    pub same_as: Option<usize>,
    /// it lies behind the horizon, where only restless positions are followed
    pub quiet: bool,
    /// the search visited it; otherwise it shows what was cut off
    pub visited: bool,
    /// positions behind it that were visited and are left out
    pub folded: u64,
    /// positions behind it that were visited again in another window, and are left out
    pub again: u64,
}

/// What a position is to a search.
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
    /// The game goes on, and the search does not.
    Horizon,
    /// The position stands on the line above already, which is a draw.
    Repeated,
}

/// How what was found stands to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Bounds {
    /// It is the value.
    Exact,
    /// The value is this or more.
    AtLeast,
    /// The value is this or less.
    AtMost,
}

/// Why a position was left before all of its moves were looked at.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cut {
    /// why
    pub reason: Reason,
    /// what MAX is sure of; null if of nothing; absent with another reason
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Option<Number>>,
    /// what MIN is sure of; null if of nothing; absent with another reason
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<Option<Number>>,
    /// the bound comes from further up than the parent; absent with another reason
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep: Option<bool>,
}

/// Why moves are left over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub enum Reason {
    /// A side is sure of as much elsewhere.
    #[serde(rename = "beta <= alpha")]
    Window,
    /// Nothing can be better for the mover.
    #[serde(rename = "none can be better")]
    Best,
    /// The window is about a game that ends sooner than here.
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

/// Runs a search and keeps its tree.
///
/// # Errors
///
/// The rules or the position contain an error, or the algorithm has no tree.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let AtPosition { session, game, state, .. } = host.game((&request.form, &request.start), None, listen)?;
    // The rules answer no more questions after an interrupt.
    let position = session.position_text(&game, &state)?;
    let wish = TreeRequest {
        algorithm: request.algorithm.map(|algorithm| algorithm.0),
        depth: request.depth.get() as u32,
        most: request.max_nodes.get() as usize,
        whole: request.whole,
    };
    let tree = session.search_tree(&game, &state, &wish)?;
    let loaded = host.recipe();
    let text = loaded.texts.first().map_or("", |text| &text.name);
    let title = title(loaded.files.first().map_or(text, String::as_str), &position);
    Ok(Reply {
        algorithm: tree.algorithm.name().to_string(),
        depth: tree.depth,
        value: tree.root().value.and_then(|found| score(found.score)),
        pv: tree.line().map(|named| named.label.clone()).collect(),
        visited: tree.visited,
        evaluated: tree.judged,
        folded: tree.nodes.iter().map(|node| node.folded).sum(),
        again: tree.nodes.iter().map(|node| node.again).sum(),
        nodes: tree.nodes.iter().enumerate().map(|(at, node)| Node::of(at, node, &position)).collect(),
        stopped: tree.stopped,
        svg: request.svg.then(|| svg::document(&tree, &title, Theme::Auto)),
        tree: Arc::new(tree),
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

impl Node {
    fn of(id: usize, node: &tree::TreeNode<NamedMove>, root: &str) -> Node {
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
        }
    }
}
