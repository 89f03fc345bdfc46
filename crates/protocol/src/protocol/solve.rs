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

/// What to solve.
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
    /// How to solve
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
    /// Greatest error of an average: half the width of its interval [default: 1e-12]
    #[arg(long, value_name = "E")]
    pub accuracy: Option<Accuracy>,
}

command_line_defaults!(Request);

/// What was proved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// worth of the position for MAX; a declared win is 1000000 less its plies, a declared loss the negative of that; 1000000 or its negative for a win of unknown distance; of an average the middle of its interval; null if all positions were asked for, if an interval stays wide, and if stopped before
    pub value: Option<Number>,
    /// who wins; null for an average, if all positions were asked for, and if stopped before
    pub outcome: Option<Winner>,
    /// of an average: between which numbers it lies; otherwise null
    pub interval: Option<[Number; 2]>,
    /// plies to the end of the game with best play; null for endless play, and if the method knows no distance
    pub plies: Option<u32>,
    /// label of the best move; null if there is none to make
    pub best: Option<String>,
    /// the line of best play: labels of moves; empty if the method knows none
    pub pv: Vec<String>,
    /// positions solved, each once; with pns and alphabeta positions visited
    pub positions: u64,
    /// plies of the longest win of a side to move; null if there is none
    pub longest: Option<u32>,
    /// the method that found it; auto if solving was stopped before one did
    pub method: Spelled<Method>,
    /// what endless play is worth; null if there is none
    pub endless_play: Option<Endless>,
    /// the game itself declares what a repeated position is worth
    pub repetition_declared: bool,
    /// values that were saved; null if none were to be
    pub saved: Option<u64>,
    /// positions named in the proof that was written; null if none was to be
    pub proved: Option<u64>,
    /// why the values or the proof could not be written; empty if they were, or were not to be
    pub unwritten: Problems,
    /// time taken, in seconds
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// stopped before the end: the reply is the result so far
    pub stopped: bool,
    /// the values of all positions; only if asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<Everything>,
}

/// What endless play is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Endless {
    /// A draw.
    Draw,
}

/// The values of all positions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Everything {
    /// positions in which MAX is to move
    pub max_to_move: Counted,
    /// positions in which MIN is to move
    pub min_to_move: Counted,
}

/// The positions in which one side is to move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Counted {
    /// positions
    pub positions: u64,
    /// positions won by MAX
    pub max: u64,
    /// positions won by MIN
    pub min: u64,
    /// drawn positions
    pub draw: u64,
    /// plies of the longest win; null if nobody wins
    pub longest: Option<u32>,
    /// wins of MAX: the plies each takes, and how many positions have it
    pub max_by_plies: Vec<(u32, u64)>,
    /// wins of MIN: the plies each takes, and how many positions have it
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

/// A proof to be checked.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VerifyRequest {
    /// The proof
    pub proof: String,
    #[command(flatten)]
    #[serde(flatten)]
    /// Which form
    pub form: Form,
}

/// Whether a proof stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct VerifyReply {
    /// the proof is correct
    pub verified: bool,
    /// position that is proved; null if the proof is wrong
    pub position: Option<String>,
    /// who wins from this position; null if the proof is wrong
    pub outcome: Option<Winner>,
    /// proved value if the game ends in numbers; null for a win, or if the proof is wrong
    pub number: Option<Number>,
    /// plies to the end at most; null for a number, or if the proof is wrong
    pub plies: Option<u32>,
    /// lines of positions checked; null if the proof is wrong
    pub positions: Option<u64>,
    /// line of the proof with the mistake, from 1; null if the proof is correct
    #[schemars(range(min = 1))]
    pub line: Option<u64>,
    /// what is wrong in this line; null if the proof is correct
    pub why: Option<String>,
    /// the same as a diagnostic, with a help; empty if the proof is correct
    pub problems: Problems,
    /// stopped before it was decided
    pub stopped: bool,
}

/// Verifies a proof by the rules alone.
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
