//! Shows the tree of a search: windows, values, cutoffs and their reasons.

use super::data::Number;
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Host, Listen};
use super::search::algorithms;
use super::tree_nodes::KeptTree;
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
    /// Whether the position is behind the horizon, in the quiescence search.
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
    let loaded = host.recipe();
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
