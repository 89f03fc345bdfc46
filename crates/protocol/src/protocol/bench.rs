//! Measures the speed of searches, and computes a signature that shows whether the searches changed.
//!
//! For a fixed position of several shipped games, or for a given game, one thread searches to a fixed
//! depth. The reply gives the positions visited and their number per second. The sum of the positions
//! is the signature. It is the same on every machine and changes with any change to the search, the
//! machine or the rules that affects the nodes. After Stockfish's `bench`.

use super::form::{Form, Start, command_line_defaults};
use super::host::{Host, Listen, refusal, warn_odd};
use super::words::Whole;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_rules::rules::{Expected, examples};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::result::Iteration;
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::{self, SearchOptions, Session, SessionResult};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Shipped games, each with the depth of its search from the first position.
const POSITIONS: &[(&str, u32)] = &[
    ("tictactoe", 9),
    ("connect_four", 9),
    ("connect_four_bits", 10),
    ("othello", 7),
    ("breakthrough", 5),
    ("checkers", 9),
    ("kalah", 10),
    ("nine_mens_morris", 4),
    ("hex", 5),
    ("fox_and_geese", 12),
    ("kpk", 8),
    ("krk", 6),
    ("chess", 4),
];

/// The size of the transposition table, in bytes.
const HASH: u64 = 16 << 20;

/// The position limit that determines the depth for a game of the user.
const WORTH: u64 = 200_000;

/// A request to measure the speed of searches.
#[derive(Args, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// Whether to measure the loaded game instead of the games that come with Alphorn.
    #[arg(skip)]
    pub loaded: bool,
    /// Search the game to this depth (default: the greatest depth with at most 200,000 positions)
    #[arg(long, value_name = "N")]
    pub depth: Option<Whole<1, { u32::MAX as u64 }>>,
    #[command(flatten)]
    #[serde(flatten)]
    /// The position.
    pub start: Start,
    #[command(flatten)]
    #[serde(flatten)]
    /// The form of the game.
    pub form: Form,
    /// Search each position N times, and report the fastest time
    #[arg(long, value_name = "N", default_value = "1")]
    pub repeat: Whole<1, 1000>,
}

command_line_defaults!(Request);

/// The speed of searches.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Reply {
    /// The signature: the number of positions visited in all games. It does not depend on the computer.
    pub signature: u64,
    /// The sum of the times of all games, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// The number of positions visited per second, over all games.
    pub nodes_per_second: u64,
    /// The results, one for each game in the order of the searches.
    pub games: Vec<Measured>,
    /// Whether an interrupt stopped the measurement before all games were searched.
    pub stopped: bool,
}

/// The result for one game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Measured {
    /// The name of the game.
    pub game: String,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The shortest time of a search, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// The number of positions visited per second.
    pub nodes_per_second: u64,
}

/// A position to search, with the depth.
struct Case {
    name: String,
    session: Session,
    start: session::GameStart,
    depth: Option<u32>,
}

/// Runs the benchmark.
///
/// # Errors
///
/// The rules or the request contain an error.
pub fn answer(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Reply> {
    let stop = &host.stop;
    // Positions are hashed by the numbers of their atoms. All games are loaded before the first
    // search, so that atoms created by a search do not change these numbers.
    let cases: Vec<Case> = match request.loaded {
        true => vec![own(request, host, listen)?],
        false => {
            let changed = !request.form.change().is_empty() || request.depth.is_some();
            if changed || request.start.place().is_given() {
                let help = "name the game to measure: alphorn bench FILE, with its options";
                return Err(refusal("the games that come with alphorn are measured as they are", help));
            }
            POSITIONS.iter().map(|(name, depth)| shipped(name, *depth, stop)).collect::<SessionResult<_>>()?
        }
    };
    let speed = |nodes: u64, seconds: f64| (nodes as f64 / seconds.max(1e-9)) as u64;
    let mut reply = Reply::default();
    for case in cases {
        let Some((depth, nodes, seconds)) = measured(&case, request.repeat.get(), stop)? else {
            reply.stopped = true;
            break;
        };
        let game = Measured { game: case.name, depth, nodes, seconds, nodes_per_second: speed(nodes, seconds) };
        (reply.signature, reply.seconds) = (reply.signature + nodes, reply.seconds + seconds);
        reply.games.push(game);
    }
    reply.nodes_per_second = speed(reply.signature, reply.seconds);
    Ok(reply)
}

/// The loaded game.
fn own(request: &Request, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<Case> {
    let session = host.session(&request.form, Expected::Game, &host.stop, listen)?;
    warn_odd(&request.start, &session, listen);
    let depth = request.depth.map(|depth| depth.get() as u32);
    Ok(Case { name: host.name(), session, start: request.start.place(), depth })
}

/// A game that comes with Alphorn.
fn shipped(name: &str, depth: u32, stop: &Arc<AtomicBool>) -> SessionResult<Case> {
    let Some(text) = examples().into_iter().find(|(other, _)| *other == name).map(|(_, text)| text) else {
        return Err(refusal(format!("{name} is not among the games that come with alphorn"), "please report it"));
    };
    let session = LoadOptions::of_text(&format!("{name}.pl"), text).open(Expected::Game, stop)?;
    Ok(Case { name: name.to_string(), session, start: session::GameStart::default(), depth: Some(depth) })
}

/// The depth of the search, the positions visited and the shortest time; `None` if the user interrupts
/// it.
fn measured(case: &Case, repeat: u64, stop: &AtomicBool) -> SessionResult<Option<(u32, u64, f64)>> {
    let game = case.session.game()?;
    let state = case.session.position(&game, &case.start)?;
    let depth = match case.depth {
        Some(depth) => depth,
        None => deepest(&case.session, &game, &state, stop)?,
    };
    let how = SearchOptions { hash: Some(HASH), ..Algorithm::Auto.into() };
    let limits = Limits { stop: Some(stop), ..Limits::to_depth(depth) };
    let (mut visited, mut fastest) = (None, f64::INFINITY);
    for _ in 0..repeat {
        let begun = Instant::now();
        let found = case.session.value(&game, &state, &how, &limits)?.outcome;
        if stop.load(Relaxed) {
            return Ok(None);
        }
        fastest = fastest.min(begun.elapsed().as_secs_f64());
        let all = found.nodes + found.proof_nodes;
        if visited.replace(all).is_some_and(|before| before != all) {
            let message = format!("two searches of {} visited different numbers of positions", case.name);
            return Err(refusal(message, "this is an error in Alphorn: please report it"));
        }
    }
    Ok(visited.map(|visited| (depth, visited, fastest)))
}

/// The greatest depth whose search ends within [`WORTH`] positions; at least 1.
fn deepest(session: &Session, game: &RuleGame, state: &Position, stop: &AtomicBool) -> SessionResult<u32> {
    let last = Cell::new(1);
    let report = |found: &Iteration<String>| last.set(found.depth);
    let how = SearchOptions { hash: Some(HASH), report: Some(&report), ..Algorithm::Auto.into() };
    let limits = Limits { nodes: Some(WORTH), stop: Some(stop), ..Limits::default() };
    session.value(game, state, &how, &limits)?;
    Ok(last.get())
}
