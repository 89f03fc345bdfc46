//! Computes the value of a position, the best move and the principal variation.

use super::data::{Number, Winner};
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Event, Host, Listen};
use super::partial::{Iteration, Line};
use super::search::{Leaf, Search};
use super::words::Whole;
use alphorn_search::game::{Game, Score};
use alphorn_search::search::Algorithm;
use alphorn_search::search::result::{self, LineEnd, SearchResult, Stats, Verdict};
use alphorn_session::session::SessionResult;
use alphorn_session::session::database::Database;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::path::PathBuf;

/// A request for the value of a position.
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
    #[command(flatten)]
    #[serde(flatten)]
    /// The search options.
    pub search: Search,
    /// Print the K best moves, each with its line
    #[arg(long, value_name = "K", default_value = "1")]
    pub lines: Whole<1, 65_535>,
    /// First look up the position in this file, which alphorn solve --save wrote
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Print statistics for every depth
    #[arg(long)]
    pub stats: bool,
}

command_line_defaults!(Request);

/// The result of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Value")]
pub struct Reply {
    /// The value of the position for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N -
    /// 1000000. An average in a game with chance and for random play. Null if the search was stopped before
    /// it finished the first move.
    pub value: Option<Number>,
    /// The winner with best play, or `draw`; null for an estimate or an average.
    pub outcome: Option<Winner>,
    /// The number of plies to the end of the game; with `mcts`, the length of `pv`, which need not be the
    /// shortest. Null for an estimate or an average, or if no outcome is declared.
    pub plies: Option<u32>,
    /// Whether the value is exact: no estimate can change it.
    pub exact: bool,
    /// Whether the value is an average, of a game with chance or of random play.
    pub average: bool,
    /// The label of the move to play: the best move of `deeper` if that is there, else the first move of `pv`;
    /// null if there is none. If `value` is null because the time ended before a move was searched, it is the
    /// first legal move.
    pub best: Option<String>,
    /// The principal variation: the labels of its moves, the best move first.
    pub pv: Vec<String>,
    /// The reason why the principal variation ends; null if there is no value.
    pub end: Option<End>,
    /// The winner at the end of the principal variation; null if neither player wins there.
    pub wins: Option<Winner>,
    /// The depth of `value` and `pv`, in plies: the depth of the request, or the greatest depth
    /// reached.
    pub depth: u32,
    /// Whether the search had no depth limit.
    pub to_end: bool,
    /// Whether the search finished `depth`; otherwise the value is the best of the moves searched so far.
    pub finished: bool,
    /// The best move so far of a greater, unfinished depth; null unless the search was stopped in such a
    /// depth.
    pub deeper: Option<Deeper>,
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of calls of `static_eval/2` by the search.
    pub evals: u64,
    /// The time of the search, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// The number of positions visited per second; null if no time passed.
    pub nodes_per_second: Option<u64>,
    /// Whether a limit or an interrupt stopped the search; the value is then the best so far.
    pub stopped: bool,
    /// Whether the value comes from the file of solved positions. Missing if a search found the value.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_table: bool,
    /// The counts of random games. Missing with other algorithms than `playouts` and `mcts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// The best moves, the best first. Missing unless the request asks for 2 or more `lines`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Line>>,
    /// The counts of the search; null if the algorithm does not count. Missing unless the request sets
    /// `stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Option<Account>>,
}

/// The reason why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum End {
    /// The game is over.
    Over,
    /// A position occurred before, which is a draw.
    Repetition,
    /// The line reaches the horizon, where the value is an estimate.
    Horizon,
    /// Chance moves next.
    Chance,
}

impl From<LineEnd> for End {
    fn from(end: LineEnd) -> End {
        match end {
            LineEnd::Ended(_) | LineEnd::Numbered => End::Over,
            LineEnd::Repeated => End::Repetition,
            LineEnd::Horizon => End::Horizon,
            LineEnd::Chance => End::Chance,
        }
    }
}

/// The best move so far of an unfinished depth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Deeper {
    /// The unfinished depth, in plies.
    #[schemars(range(min = 1))]
    pub depth: u32,
    /// The value of the best move so far, for MAX.
    pub value: Number,
    /// The label of the best move so far.
    pub best: Option<String>,
    /// The line of the best move so far: the labels of its moves.
    pub pv: Vec<String>,
}

/// The counts of random games, or of the leaves of `mcts`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Sample {
    /// The number of random games played; with `mcts`, of leaves visited.
    pub games: u64,
    /// What judged the leaves of `mcts`: random games or the evaluation; null with `playouts`.
    pub leaf: Option<Leaf>,
    /// Whether the tree of `mcts` stopped growing because it had no more memory. Missing otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub full: bool,
    /// The standard error of the value; null with `mcts`, whose games depend on each other.
    #[schemars(range(min = 0))]
    pub standard_error: Option<Number>,
    /// The lower end of the 95 % interval of the value; null with `mcts`.
    pub low: Option<Number>,
    /// The upper end of the 95 % interval of the value; null with `mcts`.
    pub high: Option<Number>,
    /// The number of games won by MAX; null with `mcts`.
    pub wins: Option<u64>,
    /// The number of games won by MIN; null with `mcts`.
    pub losses: Option<u64>,
    /// The number of games stopped because of their length; null with `mcts`.
    pub unfinished: Option<u64>,
    /// The mean length of a game, in plies; null with `mcts`.
    pub mean_plies: Option<Number>,
    /// The number of games played per second; null if no time passed.
    pub games_per_second: Option<Number>,
}

/// The counts of a search, in total and for each depth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Account {
    /// The counts of the whole search.
    #[serde(flatten)]
    pub counts: Counts,
    /// The counts after each depth of the algorithm `auto`; each row includes the rows before.
    pub depths: Vec<DepthAccount>,
}

/// The counts of a search up to one depth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DepthAccount {
    /// The counts since the search began.
    #[serde(flatten)]
    pub counts: Counts,
    /// The depth, in plies.
    pub depth: u32,
    /// The time since the search began, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// The factor by which the number of positions grows with a ply; null for the first depth.
    #[schemars(range(min = 0))]
    pub branching: Option<f64>,
}

/// The counts of a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Counts {
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of calls of `static_eval/2`.
    pub evals: u64,
    /// The number of positions visited beyond the horizon.
    pub quiet_nodes: u64,
    /// The number of cutoffs.
    pub cuts: u64,
    /// The number of cutoffs by the first move.
    pub first_cuts: u64,
    /// The number of positions looked up in the transposition table.
    pub table_probes: u64,
    /// The number of positions found in the transposition table.
    pub table_hits: u64,
    /// The number of cutoffs by a result in the transposition table.
    pub table_cuts: u64,
    /// The number of moves searched again with a wider window.
    pub searched_again: u64,
}

impl From<&Stats> for Counts {
    fn from(stats: &Stats) -> Counts {
        let Stats { nodes, evals, quiet_nodes, cuts, first_cuts, probes, hits, table_cuts, again } = *stats;
        Counts {
            nodes,
            evals,
            quiet_nodes,
            cuts,
            first_cuts,
            table_probes: probes,
            table_hits: hits,
            table_cuts,
            searched_again: again,
        }
    }
}

/// The note about random play in games where positions can repeat.
const CUTS: &str = "unless the game is acyclic, lines that repeat a position are left out of moves and chance outcomes";

/// Computes the value.
///
/// # Errors
///
/// The rules or the request contain an error, or play might never end.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let search = &request.search;
    let AtPosition { session, game, state, first, clock } =
        host.game((&request.form, &request.start), search.time, listen)?;
    let idle = request.idle().into_iter().chain(session.unheeded(search.advice.0));
    idle.for_each(|idle| listen(Event::note(idle)));
    let cuts = matches!(search.algorithm.0, Algorithm::Expected | Algorithm::Playouts);
    if cuts && !game.facts().is_acyclic && !game.facts().repetition_is_draw {
        listen(Event::note(CUTS));
    }
    search.risk.notes(game.facts().has_chance).into_iter().for_each(|note| listen(Event::note(note)));
    let backup = search.risk.backup();
    let depths = RefCell::new(Vec::new());
    let report = |found: &result::Iteration<String>| {
        let seconds = clock.seconds();
        depths.borrow_mut().push((found.depth, found.stats, seconds));
        listen(Event::Iteration(iteration(found, seconds)));
    };
    let hear = |nodes| listen(Event::positions(nodes));
    let limits = search.limits(clock.flag(), &hear);
    let lines = request.lines.get() as usize;
    let known = match &request.table {
        Some(path) => session.looked_up(&game, &state, (&Database::open(&session, path)?, lines), &limits)?,
        None => None,
    };
    let from_table = known.is_some();
    let found = match known {
        Some(known) => known,
        None => session.value(&game, &state, &search.how(lines, &backup, Some(&report)), &limits)?,
    };
    let mut reply = Reply { from_table, ..reply(request, &found.outcome, clock.seconds(), &depths.into_inner()) };
    if reply.value.is_none() && reply.stopped {
        reply.pv = first.iter().cloned().collect();
        reply.best = first;
    }
    Ok(reply)
}

impl Request {
    /// A sentence for each given option that has no effect with the algorithm.
    fn idle(&self) -> Vec<String> {
        let algorithm = self.search.algorithm.0;
        let lines = self.lines.get() > 1 && algorithm != Algorithm::Auto && !algorithm.knows_chance();
        let lines = lines.then(|| self.search.idle_option("--lines", "auto"));
        self.search.idle().into_iter().chain(lines).collect()
    }
}

fn reply(request: &Request, found: &SearchResult<String>, seconds: f64, depths: &[Counted]) -> Reply {
    let winner = |verdict| match verdict {
        Verdict::Wins(side) => Some(side).into(),
        Verdict::Draw => Winner::Draw,
    };
    // The other algorithms do not count; a search visits at least one position.
    let account = (found.stats.nodes > 0).then(|| account(&found.stats, depths));
    Reply {
        value: found.value.map(|value| Number(value.to_number())),
        outcome: found.verdict().map(winner),
        plies: found.plies(),
        exact: found.exact,
        average: found.averaged,
        best: found.choice().cloned(),
        pv: found.line.clone(),
        end: found.end.map(Into::into),
        wins: found.value.and_then(|value| match value {
            Score::Win { .. } => Some(Winner::Max),
            Score::Loss { .. } => Some(Winner::Min),
            Score::Value(_) => None,
        }),
        depth: found.depth.unwrap_or(found.reached),
        to_end: found.depth.is_none(),
        finished: !found.partial,
        deeper: found.deeper.as_ref().map(|deeper| Deeper {
            depth: deeper.depth,
            value: Number(deeper.line.value.to_number()),
            best: deeper.line.moves.first().cloned(),
            pv: deeper.line.moves.clone(),
        }),
        nodes: found.nodes,
        evals: found.evals,
        seconds,
        nodes_per_second: (seconds > 0.0).then(|| (found.nodes as f64 / seconds) as u64),
        stopped: found.stopped,
        from_table: false,
        sample: found.sample.as_ref().map(|found| sample(found, seconds)),
        lines: (request.lines.get() > 1).then(|| found.lines.iter().map(Line::from).collect()),
        stats: request.stats.then_some(account),
    }
}

fn iteration(found: &result::Iteration<String>, seconds: f64) -> Iteration {
    let best = found.lines.first();
    Iteration {
        depth: found.depth,
        reached: found.reached,
        exact: found.exact,
        nodes: found.stats.nodes,
        evals: found.stats.evals,
        seconds,
        lines: found.lines.iter().map(Line::from).collect(),
        value: best.map(|line| Number(line.value.to_number())),
        best: best.and_then(|line| line.moves.first().cloned()),
    }
}

fn sample(found: &result::PlayoutSample, seconds: f64) -> Sample {
    let spread = found.spread.as_ref();
    Sample {
        games: found.games,
        leaf: found.leaf.map(Leaf::from),
        full: found.full,
        standard_error: spread.map(|spread| Number(spread.standard_error)),
        low: spread.map(|spread| Number(spread.low)),
        high: spread.map(|spread| Number(spread.high)),
        wins: spread.map(|spread| spread.wins),
        losses: spread.map(|spread| spread.losses),
        unfinished: spread.map(|spread| spread.unfinished),
        mean_plies: spread.map(|spread| Number(spread.mean_plies)),
        games_per_second: (seconds > 0.0).then(|| Number(found.games as f64 / seconds)),
    }
}

/// A depth, the counts up to it, and its seconds.
type Counted = (u32, Stats, f64);

/// How many times as many positions a depth visits as the depth before; `None` if unknown.
fn branching(depths: &[Counted], at: usize) -> Option<f64> {
    let nodes = |at: usize| {
        let before = at.checked_sub(1).map_or(0, |before| depths[before].1.nodes);
        depths[at].1.nodes.saturating_sub(before) as f64
    };
    let before = nodes(at.checked_sub(1)?);
    let plies = depths[at].0 - depths[at - 1].0;
    (before > 0.0 && plies > 0).then(|| (nodes(at) / before).powf(1.0 / f64::from(plies)))
}

fn account(stats: &Stats, depths: &[Counted]) -> Account {
    let row = |(at, (depth, stats, seconds)): (usize, &Counted)| DepthAccount {
        counts: stats.into(),
        depth: *depth,
        seconds: *seconds,
        branching: branching(depths, at),
    };
    Account { counts: stats.into(), depths: depths.iter().enumerate().map(row).collect() }
}
