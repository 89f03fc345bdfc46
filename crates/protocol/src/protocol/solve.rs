//! Solves games and verifies proofs.

use super::data::{Number, Problems, Winner};
use super::form::{Form, Start, command_line_defaults};
use super::host::{Event, Host, Listen, refusal, warn_odd};
use super::search::one_of;
use super::words::{Accuracy, Seconds, Spelled};
use alphorn_rules::rules::Expected;
use alphorn_search::game::{Game, Score};
use alphorn_search::search::limits::Limits;
use alphorn_search::solve::Method;
use alphorn_session::session::census::SideCensus;
use alphorn_session::session::params::Parameter;
use alphorn_session::session::proof::{NO_PROOF, ProofStatus};
use alphorn_session::session::solve::{SolveOptions, SolvedGame, score_winner};
use alphorn_session::session::writing::FileFormat as Written;
use alphorn_session::session::{Failure, Session, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::interrupt::{self, InterruptibleReader};
use alphorn_text::report::{Problem, Report};
use alphorn_text::source::{open, unreadable};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::PathBuf;

/// The default accuracy of averages.
const ACCURACY: f64 = 1e-12;

/// A request to solve a game.
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
    /// The method of solving.
    #[arg(long, value_name = "NAME", default_value_t = Spelled(Method::Auto),
        help = format!("Method of solving: {}", one_of(&Method::ALL.map(Method::name))))]
    pub method: Spelled<Method>,
    /// Stop after this many seconds, with the results so far
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
    /// Solve all positions of position/1, not one position
    #[arg(long, conflicts_with_all = ["position", "at", "opening", "moves"])]
    pub all: bool,
    /// Save the value of every position in this file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Write a proof of the value to this file
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Greatest allowed error of an average, in a game with chance [default: 1e-12]
    #[arg(long, value_name = "E")]
    pub accuracy: Option<Accuracy>,
}

command_line_defaults!(Request);

/// The result of solving a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The value of the position for MAX. A win for MAX in N plies is 1000000 - N, a win for MIN is N -
    /// 1000000. A win of unknown distance is 1000000 or -1000000. An average is the middle of its interval.
    /// Null for all positions, for an interval that stays wide, or if solving was stopped.
    pub value: Option<Number>,
    /// The winner, or `draw`; null for an average, for all positions, or if solving was stopped.
    pub outcome: Option<Winner>,
    /// The lower and the upper bound of an average; null if the value is not an average.
    pub interval: Option<[Number; 2]>,
    /// The number of plies to the end of the game with best play; null for endless play, or if the method
    /// finds no distance.
    pub plies: Option<u32>,
    /// The label of the best move; null if there is none.
    pub best: Option<String>,
    /// The principal variation: the labels of its moves; empty if the method finds none.
    pub pv: Vec<String>,
    /// The number of positions solved, each counted once; with `pns` and `alphabeta` the number of positions
    /// visited.
    pub positions: u64,
    /// The length of the longest win of a player to move, in plies; null if there is none.
    pub longest: Option<u32>,
    /// The method that found the value; `auto` if solving was stopped before a method found it.
    pub method: Spelled<Method>,
    /// The value of endless play; null if play always ends.
    pub endless_play: Option<Endless>,
    /// Whether the game declares the value of a repeated position.
    pub repetition_declared: bool,
    /// The number of values written to the file of `save`; null if the request does not set `save`.
    pub saved: Option<u64>,
    /// The number of positions in the proof that was written; null if the request does not set `proof`.
    pub proved: Option<u64>,
    /// The reasons why the values or the proof could not be written; empty if there was no such error.
    pub unwritten: Problems,
    /// The time of solving, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// Whether a time limit or an interrupt stopped solving before its end.
    pub stopped: bool,
    /// The values of all positions. Missing unless the request sets `all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<Everything>,
}

/// The value of endless play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Endless {
    /// Endless play is a draw.
    Draw,
}

/// The values of all positions, as counts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Everything {
    /// The positions in which MAX is to move.
    pub max_to_move: Counted,
    /// The positions in which MIN is to move.
    pub min_to_move: Counted,
}

/// The positions in which one player is to move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Counted {
    /// The number of these positions.
    pub positions: u64,
    /// The number of positions that MAX wins.
    pub max: u64,
    /// The number of positions that MIN wins.
    pub min: u64,
    /// The number of drawn positions.
    pub draw: u64,
    /// The length of the longest win, in plies; null if no position is a win.
    pub longest: Option<u32>,
    /// The wins of MAX: pairs of a length in plies and the number of positions with this length.
    pub max_by_plies: Vec<(u32, u64)>,
    /// The wins of MIN: pairs of a length in plies and the number of positions with this length.
    pub min_by_plies: Vec<(u32, u64)>,
}

impl From<&SideCensus> for Counted {
    fn from(census: &SideCensus) -> Counted {
        let rows = |by_plies: &BTreeMap<u32, u64>| by_plies.iter().map(|(plies, count)| (*plies, *count)).collect();
        Counted {
            positions: census.positions,
            max: census.max,
            min: census.min,
            draw: census.draw,
            longest: census.longest(),
            max_by_plies: rows(&census.max_by_plies),
            min_by_plies: rows(&census.min_by_plies),
        }
    }
}

/// Solves one position or all positions.
///
/// # Errors
///
/// The rules or the request contain an error, or a file must not be written.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let place = request.start.place();
    if request.all && place.is_given() {
        return Err(refusal("the request asks for all positions and for one position", "omit one of the two"));
    }
    let (session, clock) = host.timed(&request.form, request.time, listen)?;
    // This is checked first because solving may take hours.
    for (path, form) in [(&request.save, None), (&request.proof, Some(Written::Proof))] {
        path.as_ref().map_or(Ok(()), |path| host.may_write(&session, path, form))?;
    }
    let game = session.game()?;
    warn_odd(&request.start, &session, listen);
    clock.begin();
    let hear = |nodes| listen(Event::positions(nodes));
    let limits = Limits { stop: Some(clock.flag()), progress: Some(&hear), ..Limits::default() };
    let method = request.method.0;
    let asking = SolveOptions {
        method,
        all: request.all,
        save: request.save.as_deref(),
        proof: request.proof.as_deref(),
        accuracy: 2.0 * request.accuracy.map_or(ACCURACY, |accuracy| accuracy.0),
        limits: &limits,
    };
    if request.accuracy.is_some() && !game.facts().has_chance && method != Method::Iteration {
        listen(Event::note("--accuracy has no effect on exact values: it is for averages"));
    }
    let found = session.solve(&game, &place, &asking)?;
    Ok(reply(found, &session, clock.seconds()))
}

fn reply(found: SolvedGame, session: &Session, seconds: f64) -> Reply {
    let unwritten: Vec<Problem> = found.unwritten.into_iter().map(|problem| *problem).collect();
    Reply {
        value: found.score.map(|score| Number(score.to_number())),
        outcome: found.score.filter(|_| found.interval.is_none()).map(|score| score_winner(score).into()),
        interval: found.interval.map(|(low, high)| [Number(low), Number(high)]),
        plies: found.plies,
        best: found.line.first().cloned(),
        pv: found.line,
        positions: found.positions,
        longest: found.longest,
        method: Spelled(found.method),
        endless_play: found.may_be_endless.then_some(Endless::Draw),
        repetition_declared: session.rules.contract.repetition.is_some(),
        saved: found.saved,
        proved: found.proved,
        unwritten: Problems(Report::new(session.rules.program.sources.clone(), unwritten)),
        seconds,
        stopped: found.stopped,
        all: found.all.as_ref().map(|[max, min]| Everything { max_to_move: max.into(), min_to_move: min.into() }),
    }
}

/// A request to check a proof.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VerifyRequest {
    /// The proof
    pub proof: String,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
}

/// The result of checking a proof.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct VerifyReply {
    /// Whether the proof is correct.
    pub verified: bool,
    /// The position that is proved; null if the proof is wrong.
    pub position: Option<String>,
    /// The winner from this position, or `draw`; null if the proof is wrong.
    pub outcome: Option<Winner>,
    /// The proved value for MAX; null if a player can force a win, or if the proof is wrong.
    pub number: Option<Number>,
    /// The greatest number of plies to the win; null without a win, or if the proof is wrong.
    pub plies: Option<u32>,
    /// The number of checked lines of the proof that contain a position; null if the proof is wrong.
    pub positions: Option<u64>,
    /// The line of the proof with the mistake, from 1; null if there is no mistake.
    #[schemars(range(min = 1))]
    pub line: Option<u64>,
    /// The mistake in this line; null if there is no mistake.
    pub why: Option<String>,
    /// The mistake as a diagnostic; empty if there is no mistake.
    pub problems: Problems,
    /// Whether an interrupt stopped the check before its end.
    pub stopped: bool,
}

/// Verifies a proof without a search.
///
/// # Errors
///
/// The rules contain an error, or the proof cannot be read.
pub fn verify(request: &VerifyRequest, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<VerifyReply> {
    let session = host.session(&request.form, Expected::Game, &host.stop, listen)?;
    let game = session.game()?;
    let sources = session.rules.program.sources.clone();
    let proof = &request.proof;
    let file = interrupt::opened(proof, || open(proof)).map_err(|error| {
        let problem = Problem::placeless(Code::InvalidArgument, unreadable(proof, &error)).help(NO_PROOF);
        Failure::Problem(Box::new(problem), sources.clone())
    })?;
    let mut reply = VerifyReply {
        verified: false,
        position: None,
        outcome: None,
        number: None,
        plies: None,
        positions: None,
        line: None,
        why: None,
        problems: Problems(Report::new(sources, Vec::new())),
        stopped: false,
    };
    match session.verify(&game, proof, BufReader::new(InterruptibleReader(file)))? {
        ProofStatus::Proved { position, winner, number, plies, positions } => {
            let worth = winner.map_or(score_winner(Score::number(number.unwrap_or(0.0))), Some);
            reply = VerifyReply {
                verified: true,
                position: Some(position),
                outcome: Some(worth.into()),
                number: number.map(Number),
                plies,
                positions: Some(positions),
                ..reply
            };
        }
        ProofStatus::Refused { line, why } => {
            let problem = Problem::placeless(Code::IncorrectProof, format!("{proof}, line {line}: {why}"))
                .help(format!("write a new proof: alphorn solve FILE --proof PROOF{}", parameters(&session)));
            reply.problems.0.problems.push(problem);
            (reply.line, reply.why) = (Some(line), Some(why));
        }
        ProofStatus::Stopped => reply.stopped = true,
    }
    Ok(reply)
}

/// The current parameters of a game, to compare with those of a proof.
fn parameters(session: &Session) -> String {
    let given = |param: Parameter| format!("-p {}={}", param.name, param.value);
    let all: Vec<String> = session.params().into_iter().map(given).collect();
    if all.is_empty() {
        return String::new();
    }
    let plural = if all.len() == 1 { "this parameter" } else { "these parameters" };
    format!("\nor check the proof with its own parameters: now the game has {plural}: {}", all.join(" "))
}
