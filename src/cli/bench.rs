//! `bench`: how fast searches are, and a number that says whether they still search the same.
//!
//! In: how often, and perhaps a game. Out: for a fixed position of each of several shipped games,
//! or for a position of that game, searched to a fixed depth by one thread, the positions visited
//! and how many a second. Their sum is the signature: the same on every machine, and another one
//! whenever a change to the search, the machine or the rules changes what is searched. After
//! Stockfish's `bench`.

use crate::cli::args::BenchArgs;
use crate::cli::output::Out;
use crate::cli::play::{load_text, start};
use crate::cli::table::table;
use crate::cli::{Ended, FAILED, INTERRUPTED, YES};
use alphorn_lang::lang::Options;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::Position;
use alphorn_rules::rules::{Expected, examples};
use alphorn_search::search::Algorithm;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::outcome::Iteration;
use alphorn_session::session::recipe::source;
use alphorn_session::session::{Budgets, Failure, How, Session, Start};
use alphorn_text::report::{Problem, grouped};
use alphorn_text::source::{Source, Sources};
use serde_json::json;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Shipped games, and how deep each is searched from its first position.
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

/// Bytes of the table.
const HASH: u64 = 16 << 20;

/// What is searched, and how deep.
struct Case {
    name: String,
    session: Session,
    start: Start,
    depth: Option<u32>,
}

/// A game of somebody's own is searched as deep as it can be with so many positions.
const WORTH: u64 = 200_000;

pub(super) fn bench(args: &BenchArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let mut rows = Vec::new();
    let (mut nodes, mut seconds) = (0, 0.0);
    let own = own(args, out, stop)?;
    let several = if own.is_some() { &[] } else { POSITIONS };
    // Positions are hashed by the numbers of their atoms: all games are loaded before any is searched, so
    // that atoms which rules make meanwhile change no number of an atom of a game.
    let several = several.iter().map(|(name, depth)| shipped(name, *depth, stop));
    let cases: Vec<Case> = own.map(Ok).into_iter().chain(several).collect::<Result<_, Failure>>()?;
    for case in cases {
        let game = case.session.game()?;
        let state = case.session.position(&game, &case.start)?;
        let Some(depth) = (match case.depth {
            Some(depth) => Some(depth),
            None => deepest(&case.session, &game, &state, stop)?,
        }) else {
            return Ok(INTERRUPTED);
        };
        let how = How { hash: Some(HASH), ..Algorithm::Auto.into() };
        let limits = Limits { stop: Some(stop), ..Limits::to_depth(depth) };
        let mut fastest = f64::INFINITY;
        let mut visited = None;
        for _ in 0..args.repeat {
            let begun = Instant::now();
            let found = case.session.value(&game, &state, &how, &limits)?.outcome;
            if stop.load(Relaxed) {
                return Ok(INTERRUPTED);
            }
            fastest = fastest.min(begun.elapsed().as_secs_f64());
            let all = found.nodes + found.proof_nodes;
            if visited.is_some_and(|before| before != all) {
                out.tell(&format!("two searches of {} visited different numbers of positions\n", case.name));
                return Ok(FAILED);
            }
            visited = Some(all);
        }
        let visited = visited.unwrap_or(0);
        (nodes, seconds) = (nodes + visited, seconds + fastest);
        rows.push((case.name, depth, visited, fastest));
    }
    let speed = |nodes: u64, seconds: f64| (nodes as f64 / seconds.max(1e-9)) as u64;
    if out.json {
        let row = |(name, depth, nodes, seconds): &(String, u32, u64, f64)| {
            json!({
                "game": name, "depth": depth, "nodes": nodes, "seconds": seconds,
                "nodes_per_second": speed(*nodes, *seconds),
            })
        };
        out.object(json!({
            "signature": nodes,
            "seconds": seconds,
            "nodes_per_second": speed(nodes, seconds),
            "games": rows.iter().map(row).collect::<Vec<_>>(),
        }));
        return Ok(YES);
    }
    let cells = |(name, depth, nodes, seconds): (String, u32, u64, f64)| {
        let speed = grouped(speed(nodes, seconds));
        vec![name, depth.to_string(), grouped(nodes), format!("{seconds:.2}"), speed]
    };
    let heads = ["game", "depth", "nodes", "seconds", "nodes/s"];
    out.print(&table(&heads, rows.into_iter().map(cells).collect()));
    out.print(&format!("\nsignature  {nodes}\nspeed      {} nodes a second\n", grouped(speed(nodes, seconds))));
    Ok(YES)
}

/// The game that is named, if one is.
fn own(args: &BenchArgs, out: &Out, stop: &Arc<AtomicBool>) -> Result<Option<Case>, Failure> {
    let (start, game) = (start(&args.start), &args.game);
    if let Some(file) = &args.file {
        let session = load_text(source(file)?, game, out, stop)?;
        return Ok(Some(Case { name: file.clone(), session, start, depth: args.depth }));
    }
    let formed = !game.params.is_empty() || !game.overlays.is_empty() || game.steps.is_some() || game.memory.is_some();
    if formed || start.is_given() {
        let problem = Problem::placeless("A0620", "the games that come with alphorn are measured as they are");
        let problem = problem.help("name the game to measure: alphorn bench FILE, with its options");
        return Err(Failure::Problem(Box::new(problem), Arc::new(Sources::default())));
    }
    Ok(None)
}

/// A game that comes with alphorn.
fn shipped(name: &str, depth: u32, stop: &Arc<AtomicBool>) -> Result<Case, Failure> {
    let Some(text) = examples().into_iter().find(|(other, _)| *other == name).map(|(_, text)| text) else {
        let problem = Problem::placeless("A0620", format!("{name} is not among the games that come with alphorn"));
        return Err(Failure::Problem(Box::new(problem), Arc::new(Sources::default())));
    };
    let source = Source::typed(&format!("{name}.pl"), text);
    let budgets = Budgets::new(None, None);
    let session = Session::open(&[source], &[], &Options::default(), Expected::Game, budgets, stop.clone())?;
    Ok(Case { name: name.to_string(), session, start: Start::default(), depth: Some(depth) })
}

/// The greatest depth whose search is over after [`WORTH`] positions; 1 at least. `None` where
/// somebody says stop meanwhile.
fn deepest(session: &Session, game: &RuleGame, state: &Position, stop: &AtomicBool) -> Result<Option<u32>, Failure> {
    let last = Cell::new(1);
    let report = |found: &Iteration<String>| last.set(found.depth);
    let how = How { hash: Some(HASH), report: Some(&report), ..Algorithm::Auto.into() };
    let limits = Limits { nodes: Some(WORTH), stop: Some(stop), ..Limits::default() };
    session.value(game, state, &how, &limits)?;
    Ok((!stop.load(Relaxed)).then(|| last.get()))
}
