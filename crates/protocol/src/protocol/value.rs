//! Computes the value of a position, the best move and the principal variation.

use super::data::{Number, Winner};
use super::form::{Form, Start, command_line_defaults};
use super::host::{AtPosition, Event, Host, Listen};
use super::search::Search;
use super::words::Whole;
use alphorn_search::game::{Game, Score};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::{self, LineEnd, SearchResult, Stats, Verdict};
use alphorn_session::session::SessionResult;
use alphorn_session::session::database::Database;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::path::PathBuf;

/// What to find out.
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
    #[command(flatten)]
    #[serde(flatten)]
    /// How
    pub search: Search,
    /// Print the K best moves, each with its line
    #[arg(long, value_name = "K", default_value = "1")]
    pub lines: Whole<1, 65_535>,
    /// Look up the position in this file of alphorn solve --save first
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Print statistics for every depth
    #[arg(long)]
    pub stats: bool,
}

command_line_defaults!(Request);

/// What a search found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Value")]
pub struct Reply {
    /// worth of the position for MAX; a declared win is 1000000 less its plies, a declared loss the negative of that; with chance or by random play an average; null if stopped before the first move was finished
    pub value: Option<Number>,
    /// who wins with best play; null for an estimate or an average
    pub outcome: Option<Winner>,
    /// plies to the end of the game, where the game declares how it ends; otherwise null
    pub plies: Option<u32>,
    /// no estimate could change the value
    pub exact: bool,
    /// the value is an average, of a game with chance or of random play
    pub average: bool,
    /// label of the best move; null if there is none
    pub best: Option<String>,
    /// the line of best play: labels of moves
    pub pv: Vec<String>,
    /// where that line ends; null if there is no value
    pub end: Option<End>,
    /// the side that wins at the end of that line; null if neither does
    pub wins: Option<Winner>,
    /// the depth that value, best and pv belong to, in plies: as asked for, or the greatest depth reached
    pub depth: u32,
    /// the search was not limited to a depth
    pub to_end: bool,
    /// that depth was searched to its end; otherwise the value is the best among the moves searched so far
    pub finished: bool,
    /// the best move so far of a greater depth, if the search was stopped before that was finished
    pub deeper: Option<Deeper>,
    /// positions visited
    pub nodes: u64,
    /// calls of static_eval/2 by the search
    pub evals: u64,
    /// time taken, in seconds
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// positions visited a second; null if no time passed
    pub nodes_per_second: Option<u64>,
    /// stopped before the end: the value is the best so far
    pub stopped: bool,
    /// what was counted of random games; only with the algorithms playouts and mcts
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// the best moves, the best first; only if 2 or more were asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Line>>,
    /// counts; null if the algorithm keeps none; only if asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Option<Account>>,
}

/// Where a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum End {
    /// The game is over.
    Over,
    /// A position occurred before, which is a draw.
    Repetition,
    /// At the horizon, with an estimate.
    Horizon,
    /// At a move of chance.
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

/// The best move so far of a depth that was not finished.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Deeper {
    /// in plies
    #[schemars(range(min = 1))]
    pub depth: u32,
    /// worth of that move for MAX at that depth
    pub value: Number,
    /// label of the best move so far
    pub best: Option<String>,
    /// its line: labels of moves
    pub pv: Vec<String>,
}

/// One of the best moves.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Line {
    /// worth of the position for MAX; a declared win is 1000000 less its plies, a declared loss the negative of that
    pub value: Number,
    /// no estimate could change the value
    pub exact: bool,
    /// label of the best move; null if there is none
    pub best: Option<String>,
    /// the line of best play: labels of moves
    pub pv: Vec<String>,
}

impl From<&result::ScoredLine<String>> for Line {
    fn from(line: &result::ScoredLine<String>) -> Line {
        Line {
            value: Number(line.value.to_number()),
            exact: line.exact,
            best: line.moves.first().cloned(),
            pv: line.moves.clone(),
        }
    }
}

/// What was counted of random games.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Sample {
    /// random games played
    pub games: u64,
    /// standard error of the value; null if games depend on each other (mcts)
    #[schemars(range(min = 0))]
    pub standard_error: Option<Number>,
    /// lower end of the 95 % interval of the value; null as above
    pub low: Option<Number>,
    /// upper end of the 95 % interval of the value; null as above
    pub high: Option<Number>,
    /// games won by MAX; null as above
    pub wins: Option<u64>,
    /// games won by MIN; null as above
    pub losses: Option<u64>,
    /// games stopped for their length; null as above
    pub unfinished: Option<u64>,
    /// mean length of a game, in plies; null as above
    pub mean_plies: Option<Number>,
    /// games played a second; null if no time passed
    pub games_per_second: Option<Number>,
}

/// What was counted in a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Account {
    /// the sums
    #[serde(flatten)]
    pub counts: Counts,
    /// the same sums after every depth of the algorithm auto
    pub depths: Vec<DepthAccount>,
}

/// What was counted up to a depth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DepthAccount {
    /// the sums
    #[serde(flatten)]
    pub counts: Counts,
    /// plies
    pub depth: u32,
    /// time since the search began, in seconds
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// how many times more positions a ply takes; null for the first depth
    #[schemars(range(min = 0))]
    pub branching: Option<f64>,
}

/// The counts of a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Counts {
    /// positions visited
    pub nodes: u64,
    /// calls of static_eval/2
    pub evals: u64,
    /// positions visited behind the horizon
    pub quiet_nodes: u64,
    /// cutoffs
    pub cuts: u64,
    /// cutoffs by the first move
    pub first_cuts: u64,
    /// positions looked up in the transposition table
    pub table_probes: u64,
    /// positions found there
    pub table_hits: u64,
    /// cutoffs by what was found there
    pub table_cuts: u64,
    /// moves searched again with a wider window
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

/// A depth that was searched to its end, on the way to deeper ones.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Iteration {
    /// in plies
    pub depth: u32,
    /// the greatest depth visited, in plies
    pub reached: u32,
    /// no estimate could change the value
    pub exact: bool,
    /// positions visited since the search began
    pub nodes: u64,
    /// calls of static_eval/2 since the search began
    pub evals: u64,
    /// time since the search began, in seconds
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// the best moves, the best first
    pub lines: Vec<Line>,
    /// worth of the position for MAX
    pub value: Option<Number>,
    /// label of the best move; null if there is none
    pub best: Option<String>,
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
    let AtPosition { session, game, state, clock } = host.game((&request.form, &request.start), search.time, listen)?;
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
    let limits = Limits {
        depth: search.depth,
        nodes: search.nodes,
        timed: search.time.is_some(),
        stop: Some(clock.flag()),
        progress: Some(&hear),
        ..Limits::default()
    };
    let known = match &request.table {
        Some(path) => session.looked_up(&game, &state, &Database::open(&session, path)?, &limits)?,
        None => None,
    };
    let lines = request.lines.get() as usize;
    let found = match known {
        Some(known) => known,
        None => session.value(&game, &state, &search.how(lines, &backup, Some(&report)), &limits)?,
    };
    Ok(reply(request, &found.outcome, clock.seconds(), &depths.into_inner()))
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
        best: found.best.clone(),
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
