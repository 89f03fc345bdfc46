//! Partial results: what events report before the reply, and what some replies contain.
//!
//! A partial result is the result of a depth of a search, of a game of a match, of a file or of an
//! expectation. This file must not depend on the host, which passes the events on.

use super::data::{Diagnostic, Number, Place, Problems, Winner, rounded};
use alphorn_rules::rules::cost::{CompiledGame, CostNote};
use alphorn_search::search::result::ScoredLine;
use alphorn_session::session::Failure;
use alphorn_session::session::claims::ExpectationStatus;
use alphorn_text::report::Report;
use alphorn_text::source::Sources;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The result of one finished depth of a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Iteration {
    /// The depth, in plies.
    pub depth: u32,
    /// The greatest depth visited, in plies; extensions and the quiescence search go deeper than `depth`.
    pub reached: u32,
    /// Whether the value is exact: no estimate can change it.
    pub exact: bool,
    /// The number of positions visited since the search began.
    pub nodes: u64,
    /// The number of calls of `static_eval/2` since the search began.
    pub evals: u64,
    /// The time since the search began, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// The best moves, the best first.
    pub lines: Vec<Line>,
    /// The value of the position for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N -
    /// 1000000. Null if there is none.
    pub value: Option<Number>,
    /// The label of the best move; null if there is none.
    pub best: Option<String>,
}

/// One of the best moves, with its value and its line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Line {
    /// The value of the move for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N - 1000000.
    pub value: Number,
    /// Whether the value is exact: no estimate can change it.
    pub exact: bool,
    /// The label of the move; null if there is none.
    pub best: Option<String>,
    /// The line with best play: the labels of its moves, this move first.
    pub pv: Vec<String>,
}

impl From<&ScoredLine<String>> for Line {
    fn from(line: &ScoredLine<String>) -> Line {
        Line {
            value: Number(line.value.to_number()),
            exact: line.exact,
            best: line.moves.first().cloned(),
            pv: line.moves.clone(),
        }
    }
}

/// The number of lines of one length.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Paths {
    /// The length of the lines, in plies.
    pub depth: u32,
    /// The number of lines of this length.
    pub paths: u64,
}

/// A finished game of a match or a tournament.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Game {
    /// The number of the game, from 1.
    #[schemars(range(min = 1))]
    pub game: u32,
    /// The names of A and B. Missing in a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<[String; 2]>,
    /// The player who was MAX.
    pub max: Which,
    /// The position in which the game began.
    pub position: String,
    /// The labels of the moves of the opening; a number for each chance move.
    pub opening: Vec<String>,
    /// The labels of the moves of the players, after the opening; a number for each chance move.
    pub moves: Vec<String>,
    /// The winner, or `draw`.
    pub outcome: Winner,
    /// The way in which the game ended.
    pub end: GameEndReason,
    /// The reason why the loser lost the game without a move: its external engine gave none, or its clock was over.
    /// Missing otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// The points of A: 1, 0.5 or 0.
    pub points: Number,
    /// The results of all finished pairs. Missing in the first game of a pair, and in a tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub so_far: Option<SoFar>,
    /// The games and points of all sides in finished pairs. Missing in the first game of a pair, and in a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standings: Option<Vec<Standing>>,
}

/// The games and points of a side of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Standing {
    /// The name of the side.
    pub name: String,
    /// The number of its games in finished pairs.
    pub games: u64,
    /// Its points in these games; a draw is half a point.
    #[schemars(range(min = 0))]
    pub points: Number,
}

/// The results of all finished pairs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SoFar {
    /// The number of finished pairs.
    pub pairs: usize,
    /// The points of A in the last pair, from 0 to 2.
    pub points: Number,
    /// The number of games won by A.
    pub wins: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games lost by A.
    pub losses: u64,
    /// The share of the points that A won, from 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub score: Number,
    /// The Elo difference between A and B that belongs to the score; null if it is infinite.
    pub elo: Option<Number>,
    /// The lower end of the 95 % interval of the Elo difference; null if it is infinite or unknown.
    pub elo_low: Option<Number>,
    /// The upper end of the 95 % interval of the Elo difference; null if it is infinite or unknown.
    pub elo_high: Option<Number>,
    /// The logarithm of the likelihood ratio of the sequential test; null without a test.
    pub llr: Option<Number>,
}

/// A step of tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TuneStep {
    /// The number of the step, from 1; with `spsa` the number of pairs of games so far.
    pub step: u64,
    /// The number of all pairs of games; null if the number of steps is not known.
    pub total: Option<u64>,
    /// The loss on the positions of the fit; null with `spsa`.
    pub loss: Option<Number>,
    /// The number of wins of the first point of the step less its losses; null except with `spsa`.
    pub gain: Option<Number>,
    /// The parameters after the step, in the order of the reply.
    pub params: Vec<Number>,
}

/// A player of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Which {
    /// Player A.
    A,
    /// Player B.
    B,
}

/// The way in which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum GameEndReason {
    /// The game ended by its rules.
    Rules,
    /// A position repeated, which is a draw.
    Repetition,
    /// The game reached the greatest length, which is a draw.
    Unfinished,
    /// The game reached a position whose value is known.
    Adjudicated,
    /// A side lost without a move: its external engine gave no legal one, or its clock was over.
    Forfeit,
}

/// The result for one file or text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CheckedFile {
    /// The name of the file as in the request, or the name of the text.
    pub file: String,
    /// Whether the file could be read.
    pub read: bool,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// Whether a time limit or an interrupt stopped the random games before their end.
    pub stopped: bool,
    /// The diagnostics of the file.
    pub problems: Problems,
    /// Remarks that are not diagnostics, one sentence each.
    pub notes: Vec<String>,
    /// The number of random games played; null if the request does not set `playouts`, or the file has
    /// errors.
    pub games: Option<u32>,
    /// The compiled code; null if nothing is compiled. Missing unless the request sets `code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Option<String>>,
    /// The goals and clauses that could not be specialised; null if the file has errors. Missing unless the
    /// request sets `cost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Option<Vec<SlowPlace>>>,
    /// The compiled game, for the terminal.
    #[serde(skip)]
    pub compiled: Option<CompiledGame>,
}

/// A goal or a clause that could not be specialised.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SlowPlace {
    /// The predicate, such as `place/3`; null for the whole program.
    pub rule: Option<String>,
    /// The affected modes of the predicate, with one sign for each argument.
    pub modes: Vec<String>,
    /// The name of the text; null for the whole program.
    pub file: Option<String>,
    /// The line of the goal or of the head of the clause, from 1; null for the whole program.
    #[schemars(range(min = 1))]
    pub line: Option<usize>,
    /// The column in characters, from 1; null for the whole program.
    #[schemars(range(min = 1))]
    pub column: Option<usize>,
    /// The reason why the goal or clause could not be specialised.
    pub reason: String,
    /// The change that helps; null for library predicates.
    pub help: Option<String>,
    /// The share of the steps of a short search that the predicate takes, from 0 to 1; null if not measured.
    #[schemars(range(min = 0, max = 1))]
    pub share: Option<Number>,
}

impl SlowPlace {
    /// Converts a note on the cost of a game.
    pub(super) fn of(cost: &CostNote, sources: &Sources) -> SlowPlace {
        let place = cost.span.and_then(|span| Place::of(span, "", sources));
        let (line, column) = place.as_ref().map(|place| (place.line, place.column)).unzip();
        SlowPlace {
            rule: cost.rule.clone(),
            modes: cost.modes.clone(),
            file: place.map(|place| place.file),
            line,
            column,
            reason: cost.reason.clone(),
            help: cost.help.clone(),
            share: cost.share.map(rounded),
        }
    }
}

/// The result for one file or text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum TestedFile {
    /// A file that loads.
    Loaded(LoadedFile),
    /// A file that does not load.
    Broken(BrokenFile),
}

/// The result for a file that loads.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "TestedFile")]
pub struct LoadedFile {
    /// The name of the file as in the request, or the name of the text.
    pub file: String,
    /// Whether the file loads: true.
    #[schemars(extend("const" = true))]
    pub loaded: bool,
    /// The number of expectations that hold.
    pub passed: usize,
    /// The number of expectations that do not hold, or whose rules end in an error.
    pub failed: usize,
    /// The number of expectations that are not decided, because of the time limit or an interrupt.
    pub undecided: usize,
    /// The number of undecided expectations that an interrupt left untested.
    pub untested: usize,
    /// The results of the expectations that were tested, in the order of the file.
    pub expectations: Vec<Expectation>,
}

/// The result for a file that does not load.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BrokenFile {
    /// The name of the file as in the request, or the name of the text.
    pub file: String,
    /// Whether the file loads: false.
    #[schemars(extend("const" = false))]
    pub loaded: bool,
    /// The diagnostics of the file.
    pub problems: Problems,
    /// The errors, for the terminal.
    #[serde(skip)]
    pub failure: Arc<Failure>,
}

/// The result for one expectation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Expectation {
    /// The claim of the expectation, as it is written.
    pub claim: String,
    /// The line of the expectation, from 1.
    #[schemars(range(min = 1))]
    pub line: usize,
    /// Whether the expectation holds.
    pub holds: bool,
    /// The verdict, which also tells a wrong claim from an undecided one.
    pub verdict: Verdict,
    /// The reason why the expectation does not hold, as a diagnostic; null if the expectation holds.
    pub problem: Option<Diagnostic>,
    /// The diagnostic, for the terminal.
    #[serde(skip)]
    pub drawn: Option<Report>,
}

/// The verdict on an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Verdict {
    /// The expectation holds.
    Holds,
    /// The expectation does not hold.
    Fails,
    /// The expectation is not decided, because of the time limit or an interrupt.
    Undecided,
    /// The rules ended in an error.
    Faulted,
}

impl From<ExpectationStatus> for Verdict {
    fn from(verdict: ExpectationStatus) -> Verdict {
        match verdict {
            ExpectationStatus::Holds => Verdict::Holds,
            ExpectationStatus::Fails => Verdict::Fails,
            ExpectationStatus::Undecided => Verdict::Undecided,
            ExpectationStatus::Faulted => Verdict::Faulted,
        }
    }
}
