//! Solving gives what a slow and obvious computation gives, on random graphs and on shipped games.
//!
//! In: random games written on the trait `Game` (cycles, a side that moves twice in a row, doubled
//! moves, draws, numbers), and the rows of `tests/data/reference.tsv`. Retrograde analysis must give
//! the fixpoint computed layer by layer, proof-number search the same winner, alpha-beta the same
//! score where nothing repeats. Every proof must verify, and a changed one must not.
//! `ALPHORN_GRAPHS` says how many graphs (300), `ALPHORN_KILLS` how many kills (10).

use alphorn::game::{Ending, Game, Heuristic, Score, Side, Turn};
use alphorn::lang::Options;
use alphorn::rules::Expected;
use alphorn::search::limits::Limits;
use alphorn::search::{Algorithm, run};
use alphorn::session::database::Database;
use alphorn::session::proof::Verdict;
use alphorn::session::solve::{Asking, SolvedGame, outcome};
use alphorn::session::{Budgets, Session, Start};
use alphorn::solve::retrograde::solve;
use alphorn::solve::strategy::{Aim, Guide, strategy};
use alphorn::solve::{Method, SolveError, Task, distance, pns, winner};
use alphorn::source::Source;
use alphorn::verify::{Claim, Step, VerifyError, check};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use redb::{ReadableDatabase, ReadableTable, TableDefinition};
use std::collections::HashMap;
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

// Random games.

/// A position: whose turn it is and where its moves lead, or how it ends.
#[derive(Clone, Debug)]
enum Place {
    Moves(Side, Vec<usize>),
    Over(Option<Ending>, f64),
}

/// A game on a graph.
struct Graph {
    places: Vec<Place>,
    acyclic: bool,
    /// Places that come in pairs of the same worth: an odd one stands for itself and the one before.
    paired: bool,
}

impl Game for Graph {
    type State = usize;
    type Move = usize;
    type Fault = Infallible;

    fn turn(&self, state: &usize) -> Result<Turn, Infallible> {
        Ok(match &self.places[*state] {
            Place::Moves(Side::Max, _) => Turn::Max,
            Place::Moves(Side::Min, _) => Turn::Min,
            Place::Over(..) => Turn::Over,
        })
    }

    fn moves(&self, state: &usize, moves: &mut Vec<usize>) -> Result<(), Infallible> {
        if let Place::Moves(_, next) = &self.places[*state] {
            moves.extend(next);
        }
        Ok(())
    }

    fn apply(&self, _: &usize, mv: &usize) -> Result<usize, Infallible> {
        Ok(*mv)
    }

    fn ending(&self, state: &usize) -> Result<Option<Ending>, Infallible> {
        Ok(match &self.places[*state] {
            Place::Over(ending, _) => *ending,
            Place::Moves(..) => None,
        })
    }

    fn acyclic(&self) -> bool {
        self.acyclic
    }

    fn repetition_is_draw(&self) -> bool {
        !self.acyclic
    }

    fn canonical(&self, state: &usize) -> Result<usize, Infallible> {
        Ok(if self.paired { state | 1 } else { *state })
    }

    fn has_symmetry(&self) -> bool {
        self.paired
    }
}

/// The worth of an end without an ending.
struct Worth;

impl Heuristic<Graph> for Worth {
    fn evaluate(&self, game: &Graph, state: &usize) -> Result<f64, Infallible> {
        Ok(match &game.places[*state] {
            Place::Over(_, number) => *number,
            Place::Moves(..) => 0.0,
        })
    }
}

/// A random graph; the last places are over.
fn graph(random: &mut Xoshiro256PlusPlus, most: usize, acyclic: bool, numbers: bool, paired: bool) -> Graph {
    let size = random.random_range(2..most) * 2;
    let ends = random.random_range(1..=size / 2);
    let draws = random.random_range(0..3);
    let mut places: Vec<Place> = (0..size)
        .map(|place| {
            if place + ends >= size {
                let number = f64::from(random.random_range(-3..=3));
                let ending = match random.random_range(0..4 + draws) {
                    0 | 1 => Some(Ending::Won(Side::Max)),
                    2 | 3 => Some(Ending::Won(Side::Min)),
                    _ => Some(Ending::Draw),
                };
                return match random.random_range(0..3) {
                    0 if numbers => Place::Over(None, number),
                    1 if numbers => Place::Over(Some(Ending::Points(number)), 0.0),
                    _ => Place::Over(ending, 0.0),
                };
            }
            let side = if random.random_range(0..2) == 0 { Side::Max } else { Side::Min };
            let least = if acyclic { place + 1 } else { 0 };
            let next = (0..random.random_range(1..5)).map(|_| random.random_range(least..size)).collect();
            Place::Moves(side, next)
        })
        .collect();
    if paired {
        // Of two, the second leads to the other halves of the pairs that the first leads into.
        for at in (0..size).step_by(2) {
            places[at + 1] = match &places[at] {
                Place::Moves(side, next) => Place::Moves(*side, next.iter().map(|to| to ^ 1).collect()),
                over => over.clone(),
            };
        }
    }
    Graph { places, acyclic, paired }
}

/// The value of every position, layer by layer: what is decided in so many plies and no fewer.
fn fixpoint(graph: &Graph) -> Vec<Score> {
    let mut known: Vec<Option<(Side, u32)>> = graph
        .places
        .iter()
        .map(|place| match place {
            Place::Over(Some(Ending::Won(side)), _) => Some((*side, 0)),
            _ => None,
        })
        .collect();
    for plies in 1..=graph.places.len() as u32 + 1 {
        let known_before = known.clone();
        let before = &known_before;
        for (at, place) in graph.places.iter().enumerate() {
            let Place::Moves(mover, next) = place else { continue };
            if before[at].is_some() {
                continue;
            }
            let wins = |side: Side| move |to: &usize| before[*to].is_some_and(|(winner, _)| winner == side);
            let other = if *mover == Side::Max { Side::Min } else { Side::Max };
            if next.iter().any(wins(*mover)) {
                known[at] = Some((*mover, plies));
            } else if next.iter().all(wins(other)) {
                known[at] = Some((other, plies));
            }
        }
    }
    known.iter().map(|known| known.map_or(Score::Value(0.0), |(side, plies)| Score::won_by(side, plies))).collect()
}

/// The value of every position of an acyclic graph, from the last to the first.
fn minimax(graph: &Graph) -> Vec<Score> {
    let mut scores: Vec<Score> = vec![Score::Value(0.0); graph.places.len()];
    for at in (0..graph.places.len()).rev() {
        scores[at] = match &graph.places[at] {
            Place::Over(Some(Ending::Won(side)), _) => Score::won_by(*side, 0),
            Place::Over(Some(Ending::Draw), _) => Score::Value(0.0),
            Place::Over(Some(Ending::Points(number)), _) | Place::Over(None, number) => Score::number(*number),
            Place::Moves(side, next) => {
                let later = next.iter().map(|to| match scores[*to] {
                    Score::Loss { plies } => Score::Loss { plies: plies + 1 },
                    Score::Win { plies } => Score::Win { plies: plies + 1 },
                    number => number,
                });
                match side {
                    Side::Max => later.max(),
                    Side::Min => later.min(),
                }
                .expect("there is a move")
            }
        };
    }
    scores
}

const ROOM: u64 = 64 << 20;

fn task<'a>(graph: &'a Graph, limits: &'a Limits<'a>, memory: u64) -> Task<'a, Graph, Worth> {
    Task::new(graph, &Worth, limits, memory)
}

/// Every kind of random graph, with its number.
fn graphs(most: usize, numbers: bool) -> impl Iterator<Item = (u64, Graph)> {
    (0..setting("ALPHORN_GRAPHS", 300)).map(move |seed| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let acyclic = numbers || seed % 3 == 0;
        (seed, graph(&mut random, most, acyclic, numbers, seed % 4 == 1 && !numbers && !acyclic))
    })
}

#[test]
fn retrograde_analysis_gives_the_fixpoint() {
    for (seed, graph) in graphs(20, false) {
        let truth = fixpoint(&graph);
        let roots: Vec<usize> = (0..graph.places.len()).collect();
        let solution = solve(&task(&graph, &Limits::default(), ROOM), &roots).expect("it fits");
        for (at, root) in solution.roots().enumerate() {
            assert_eq!(root.score, Some(truth[at]), "graph {seed}, position {at}");
        }
        if graph.paired {
            assert_eq!(solution.positions() as usize * 2, graph.places.len(), "graph {seed} is folded");
        }
    }
}

#[test]
fn retrograde_analysis_of_numbers_gives_minimax() {
    let mut seen = 0;
    for (seed, graph) in graphs(20, true) {
        let truth = minimax(&graph);
        let roots: Vec<usize> = (0..graph.places.len()).collect();
        let solution = solve(&task(&graph, &Limits::default(), ROOM), &roots).expect("it fits");
        seen += u32::from(solution.ends_in_numbers());
        for (at, root) in solution.roots().enumerate() {
            assert_eq!(root.score, Some(truth[at]), "graph {seed}, position {at}");
        }
        proofs_hold(&graph, &solution, truth[0], seed);
    }
    assert!(seen > 100, "only {seen} graphs end in numbers");
}

#[test]
fn proof_number_search_finds_the_winner() {
    for (seed, graph) in graphs(20, false) {
        let truth = fixpoint(&graph);
        for root in [0, graph.places.len() / 2, graph.places.len() - 1] {
            let limits = Limits::default();
            let proof = pns::prove(&task(&graph, &limits, ROOM), &root).expect("it fits");
            assert_eq!(proof.winner, winner(truth[root]), "graph {seed}, position {root}");
        }
    }
}

/// A game of so many plies, in each of which many positions lead to some of the next; with ways back
/// to the ply before, if it is to be cyclic.
fn layered(random: &mut Xoshiro256PlusPlus, plies: usize, width: usize, acyclic: bool) -> Graph {
    let mut places = Vec::new();
    for ply in 0..plies {
        for _ in 0..width {
            let side = if (ply + random.random_range(0..8) / 7) % 2 == 0 { Side::Max } else { Side::Min };
            let ahead = |random: &mut Xoshiro256PlusPlus| (ply + 1) * width + random.random_range(0..width);
            let mut next: Vec<usize> = (0..random.random_range(2..4)).map(|_| ahead(random)).collect();
            if !acyclic && ply > 0 && random.random_range(0..4) == 0 {
                next.push((ply - 1) * width + random.random_range(0..width));
            }
            places.push(Place::Moves(side, next));
        }
    }
    for _ in 0..width {
        let endings = [Ending::Won(Side::Max), Ending::Won(Side::Min), Ending::Draw];
        places.push(Place::Over(Some(endings[random.random_range(0..3)]), 0.0));
    }
    Graph { places, acyclic, paired: false }
}

/// Positions that the table has let go are searched again and again, and the values stay.
#[test]
fn proof_number_search_finds_the_winner_with_a_table_that_is_too_small() {
    let (mut forgot, mut done) = (0, 0);
    for seed in 0..setting("ALPHORN_GRAPHS", 300) / 10 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let graph = layered(&mut random, 12, 40, seed % 2 == 0);
        let truth = fixpoint(&graph);
        let limits = Limits::default();
        match pns::prove(&task(&graph, &limits, 20 << 10), &0) {
            Ok(proof) => {
                done += 1;
                forgot += u32::from(proof.forgot());
                assert_eq!(proof.winner, winner(truth[0]), "graph {seed}");
            }
            Err(error) => assert!(matches!(error, SolveError::Memory { .. }), "graph {seed}"),
        }
        let proof = pns::prove(&task(&graph, &limits, ROOM), &0).expect("it fits");
        assert_eq!(proof.winner, winner(truth[0]), "graph {seed}, with room");
    }
    assert!(forgot > 0 && done > 0, "{forgot} tables of {done} forgot something");
}

#[test]
fn alpha_beta_agrees_where_nothing_repeats() {
    for (seed, graph) in graphs(10, true).chain(graphs(10, false).filter(|(_, graph)| graph.acyclic)) {
        let truth = minimax(&graph);
        let solution = solve(&task(&graph, &Limits::default(), ROOM), &[0]).expect("it fits");
        let searched = run(Algorithm::AlphaBeta, &graph, &Worth, &0, &Limits::default()).expect("it ends");
        assert_eq!(searched.value, Some(truth[0]), "graph {seed}");
        assert_eq!(solution.score_of(&0), searched.value, "graph {seed}");
    }
}

#[test]
fn what_calls_itself_acyclic_and_is_not_is_found_out() {
    let places = vec![
        Place::Moves(Side::Max, vec![1, 2]),
        Place::Moves(Side::Min, vec![0]),
        Place::Over(Some(Ending::Points(2.0)), 0.0),
    ];
    let graph = Graph { places: places.clone(), acyclic: true, paired: false };
    let error = solve(&task(&graph, &Limits::default(), ROOM), &[0]).map(|_| ());
    assert_eq!(error, Err(SolveError::Cycle));
    let graph = Graph { places, acyclic: false, paired: false };
    let error = solve(&task(&graph, &Limits::default(), ROOM), &[0]).map(|_| ());
    assert_eq!(error, Err(SolveError::Numbers));
}

#[test]
fn too_little_memory_and_the_stop_flag_are_told() {
    let mut places: Vec<Place> = (1..2000).map(|next| Place::Moves(Side::Min, vec![next])).collect();
    places.push(Place::Over(Some(Ending::Draw), 0.0));
    let graph = Graph { places, acyclic: true, paired: false };
    let error = solve(&task(&graph, &Limits::default(), 10 << 10), &[0]).map(|_| ());
    assert!(matches!(error, Err(SolveError::Memory { positions }) if positions > 0), "{error:?}");
    let stop = AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    assert_eq!(solve(&task(&graph, &limits, ROOM), &[0]).map(|_| ()), Err(SolveError::Stopped));
    assert_eq!(pns::prove(&task(&graph, &limits, ROOM), &0).map(|_| ()), Err(SolveError::Stopped));
}

// Proofs.

type Told = Vec<Step<usize>>;

/// The strategy of one side, as lines.
fn told(graph: &Graph, guide: &impl Guide<usize>, side: Side, aim: Aim, root: usize) -> Option<Told> {
    let limits = Limits::default();
    let mut steps = Vec::new();
    let task = task(graph, &limits, ROOM);
    strategy(&task, guide, (side, aim), &root, |step| {
        let line = steps.len() as u64 + 4;
        steps.push(Step { line, rank: step.rank, state: *step.state, next: step.next.copied() });
        Ok::<(), ()>(())
    })
    .ok()?;
    Some(steps)
}

fn claim(aim: Aim) -> Claim {
    match aim {
        Aim::Win => Claim::Wins,
        Aim::Number(number) => Claim::Gets(number),
    }
}

fn stands(graph: &Graph, side: Side, claim: Claim, steps: &[Step<usize>]) -> bool {
    let stop = AtomicBool::new(false);
    match check((graph, &Worth, &stop), &0, (side, claim, 3), steps) {
        Ok(()) => true,
        Err(VerifyError::Refused { line, .. }) => {
            assert!(line == 3 || steps.iter().any(|step| step.line == line), "line {line} is a line");
            false
        }
        Err(error) => panic!("{error:?}"),
    }
}

/// What proves a score.
fn aims(score: Score) -> Vec<(Side, Aim)> {
    match (winner(score), score) {
        (Some(side), _) => vec![(side, Aim::Win)],
        (None, Score::Value(number)) => vec![(Side::Max, Aim::Number(number)), (Side::Min, Aim::Number(number))],
        _ => unreachable!("a score without a winner is a number"),
    }
}

/// The proofs of the value of position 0 verify; with anything changed they do not.
fn proofs_hold(graph: &Graph, guide: &impl Guide<usize>, score: Score, seed: u64) {
    for (side, aim) in aims(score) {
        let steps = told(graph, guide, side, aim, 0).unwrap_or_else(|| panic!("graph {seed}: no proof"));
        assert!(stands(graph, side, claim(aim), &steps), "graph {seed}: {side:?} {aim:?} {steps:?}");
        for at in 0..steps.len() {
            let mut left_out = steps.clone();
            left_out.remove(at);
            assert!(!stands(graph, side, claim(aim), &left_out), "graph {seed}: without line {at}");
            let mut doubled = steps.clone();
            doubled.push(steps[at].clone());
            assert!(!stands(graph, side, claim(aim), &doubled), "graph {seed}: line {at} twice");
            if at > 0 && aim.must_end(side) {
                let mut ranked = steps.clone();
                ranked[at].rank = Some(u32::MAX);
                assert!(!stands(graph, side, claim(aim), &ranked), "graph {seed}: rank of line {at}");
            }
            let mut moved = steps.clone();
            let Place::Moves(mover, next) = &graph.places[steps[at].state] else { panic!("it is not over") };
            moved[at].next = match mover == &side {
                true => (0..graph.places.len()).find(|other| !next.contains(other)),
                false => Some(next[0]),
            };
            assert!(!stands(graph, side, claim(aim), &moved), "graph {seed}: move of line {at}");
        }
    }
}

#[test]
fn proofs_verify_and_changed_ones_do_not() {
    for (seed, graph) in graphs(20, false) {
        let truth = fixpoint(&graph)[0];
        let limits = Limits::default();
        let solution = solve(&task(&graph, &limits, ROOM), &[0]).expect("it fits");
        proofs_hold(&graph, &solution, truth, seed);
        let proof = pns::prove(&task(&graph, &limits, ROOM), &0).expect("it fits");
        if graph.acyclic || proof.winner.is_some() {
            proofs_hold(&graph, &proof, truth, seed);
        }
    }
}

/// Whatever a proof looks like, it does not verify unless what it claims is true.
#[test]
fn nothing_false_verifies() {
    let mut stood = 0;
    for (seed, graph) in graphs(4, false) {
        let truth = fixpoint(&graph);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0xABCD);
        for _ in 0..300 {
            let side = if random.random_range(0..2) == 0 { Side::Max } else { Side::Min };
            let claim = if random.random_range(0..2) == 0 { Claim::Wins } else { Claim::Gets(0.0) };
            let mut steps = Vec::new();
            for (state, place) in graph.places.iter().enumerate() {
                let Place::Moves(mover, next) = place else { continue };
                let chosen = next[random.random_range(0..next.len())];
                let rank = Some(random.random_range(0..graph.places.len() as u32));
                if random.random_range(0..6) > 0 {
                    steps.push(Step { line: 4, rank, state, next: (*mover == side).then_some(chosen) });
                }
            }
            if stands(&graph, side, claim, &steps) {
                stood += 1;
                let worth = truth[0].seen_by(side);
                let is_true = match claim {
                    Claim::Wins => distance(worth).is_some() && worth > Score::Value(0.0),
                    Claim::Gets(_) => worth >= Score::Value(0.0),
                };
                assert!(is_true, "graph {seed}: {side:?} {claim:?} {steps:?}");
            }
        }
    }
    assert!(stood > 100, "only {stood} random proofs stood");
}

// Games of rules.

fn shipped(name: &str) -> Source {
    let path = format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"));
    Source::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn session(name: &str, params: &str, overlay: &str) -> Session {
    let settings = params.split_whitespace().filter_map(|pair| pair.split_once('='));
    let settings = settings.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let overlays: Vec<Source> =
        (!overlay.is_empty()).then(|| Source::typed("overlay.pl", overlay)).into_iter().collect();
    let opened = Session::open(
        &[shipped(name)],
        &overlays,
        &Options { settings },
        Expected::Game,
        Budgets::new(None, None),
        Default::default(),
    );
    opened.unwrap_or_else(|failure| panic!("{name} {params}: {failure:?}"))
}

fn solved(session: &Session, method: Method, all: bool, proof: Option<&Path>) -> SolvedGame {
    let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let limits = Limits::default();
    let asking = Asking { method, all, save: None, proof, limits: &limits };
    session.solve(&game, &Start::default(), &asking).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// Rows of reference.tsv: game there, quantity, value.
fn reference(game: &str) -> HashMap<String, String> {
    let rows = include_str!("data/reference.tsv").lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let rows = rows.filter(|row| row[0] == game);
    rows.map(|row| (format!("{} {}", row[1], row[2]), row[3].to_string())).collect()
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("alphorn-solve-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn small_games_have_the_values_and_positions_that_are_known() {
    let games = [
        ("tictactoe", "tictactoe", ""),
        ("hexapawn 3x3 (w x h)", "hexapawn", ""),
        ("hexapawn 4x3 (w x h)", "hexapawn", "width=4"),
        ("hexapawn 5x3 (w x h)", "hexapawn", "width=5"),
        ("hexapawn 3x4 (w x h)", "hexapawn", "height=4"),
        ("hexapawn 3x5 (w x h)", "hexapawn", "height=5"),
        ("breakthrough 2x5 (w x h, 2 rows each)", "breakthrough", "width=2 height=5"),
        ("breakthrough 3x4 (w x h, 1 rows each)", "breakthrough", "width=3 height=4 rows=1"),
    ];
    for (row, name, params) in games {
        let known = reference(row);
        let session = session(name, params, "");
        let found = solved(&session, Method::Retrograde, false, None);
        let plies = found.plies.expect("every end is declared or comes by force");
        let winner = found.score.and_then(outcome);
        let who = match winner {
            None => "draw",
            Some(Side::Max) => "first player wins",
            Some(Side::Min) => "second player wins",
        };
        let shown = format!("{who} (plies to end under best play, winner fastest/loser slowest: {plies})");
        assert_eq!(known.get("value start"), Some(&shown), "{row}");
        assert_eq!(known.get("distinct reachable states all"), Some(&found.positions.to_string()), "{row}");
        let proof = scratch(name);
        for method in [Method::Retrograde, Method::Pns] {
            let again = solved(&session, method, false, Some(&proof));
            assert_eq!(again.score.and_then(outcome), winner, "{row} by {method}");
            let text = fs::read_to_string(&proof).expect("a proof was written");
            let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
            let verdict = session.verify(&game, "proof", text.as_bytes());
            let verdict = verdict.unwrap_or_else(|failure| panic!("{failure:?}"));
            assert!(matches!(verdict, Verdict::Proved { winner: other, .. } if other == winner), "{verdict:?}");
            tampered(&session, &text);
        }
        let _ = fs::remove_file(&proof);
    }
}

/// A proof of which any one line is missing or changed is refused, at a line that it has.
fn tampered(session: &Session, text: &str) {
    let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let lines: Vec<&str> = text.lines().collect();
    let step = (lines.len() / 20).max(1);
    for at in (0..lines.len()).step_by(step) {
        let mut without = lines.clone();
        without.remove(at);
        let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        changed[at].push_str(",nobody)");
        for text in [without.join("\n"), changed.join("\n")] {
            let verdict = session.verify(&game, "proof", text.as_bytes());
            let verdict = verdict.unwrap_or_else(|failure| panic!("{failure:?}"));
            let Verdict::Refused { line, .. } = verdict else { panic!("line {at} may be changed: {verdict:?}") };
            assert!(line >= 1 && line <= lines.len() as u64, "line {line}");
        }
    }
}

#[test]
fn other_games_end_as_they_are_known_to() {
    let four = [("4x4", "width=4 height=4")];
    for (size, params) in four {
        let row = include_str!("data/reference.tsv").lines().any(|line| {
            line.starts_with(&format!(
                "connect four\twinner and last move number, width x height\t{size}\tDraw, move 16"
            ))
        });
        assert!(row, "connect four {size} is a draw");
        let found = solved(&session("connect_four", params, ""), Method::Auto, false, None);
        assert_eq!((found.score, found.plies), (Some(Score::Value(0.0)), Some(16)));
    }
    let nim = session("nim", "", "");
    let retrograde = solved(&nim, Method::Retrograde, false, None);
    let searched = solved(&nim, Method::AlphaBeta, false, None);
    assert_eq!((retrograde.score, retrograde.plies), (searched.score, searched.plies));
    assert!(retrograde.positions < 100, "heaps in any order are one position: {}", retrograde.positions);
    let othello = solved(&session("othello", "size=4", ""), Method::Retrograde, false, None);
    assert_eq!(othello.score, Some(Score::Value(-8.0)), "Othello 4x4: the second player by 8 discs");
    let tree = solved(&session("bratko", "", ""), Method::Retrograde, false, None);
    assert_eq!(tree.score, Some(Score::Value(4.0)));
}

/// Tic-tac-toe has 765 positions that differ by more than a turn or a reflection of the board.
#[test]
fn positions_are_folded_by_all_images() {
    let images = "
        symmetry(pos(P, L), pos(P, M)) :- ( N = L ; mirrored(L, N) ), ( M = N ; turned(N, M) ).
        turned(L, M) :- quarter(L, M).
        turned(L, M) :- quarter(L, N), turned_on(N, M).
        turned_on(L, M) :- quarter(L, M).
        turned_on(L, M) :- quarter(L, N), quarter(N, M).
        quarter([A,B,C, D,E,F, G,H,I], [G,D,A, H,E,B, I,F,C]).
        mirrored([A,B,C, D,E,F, G,H,I], [C,B,A, F,E,D, I,H,G]).
    ";
    let session = session("tictactoe", "", images);
    let proof = scratch("folded");
    for method in [Method::Retrograde, Method::Pns] {
        let found = solved(&session, method, false, Some(&proof));
        assert_eq!(found.score, Some(Score::Value(0.0)));
        if method == Method::Retrograde {
            assert_eq!((found.positions, found.plies), (765, Some(9)));
        }
        let text = fs::read_to_string(&proof).expect("a proof was written");
        let game = session.game().unwrap_or_else(|failure| panic!("{failure:?}"));
        let verdict = session.verify(&game, "proof", text.as_bytes()).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert!(matches!(verdict, Verdict::Proved { number: Some(0.0), .. }), "{verdict:?}");
    }
    let _ = fs::remove_file(&proof);
}

#[test]
fn all_positions_of_king_and_rook() {
    let rows = include_str!("data/reference.tsv");
    let full = solved(&session("krk", "", ""), Method::Retrograde, true, None);
    let [white, black] = full.all.clone().expect("it was asked for all");
    assert_eq!((white.positions, white.max, white.longest()), (175_168, 175_168, Some(31)));
    assert_eq!((full.longest, black.positions, black.draw), (Some(31), 223_944, 22_244));
    let counts = |by_plies: &std::collections::BTreeMap<u32, u64>| {
        let shown: Vec<String> = by_plies.iter().map(|(plies, count)| format!("{}:{count}", plies / 2)).collect();
        shown.join(" ")
    };
    let line = format!("total {} draw {} : {}", black.positions, black.draw, counts(&black.max_by_plies));
    assert!(rows.contains(&format!("full black-to-move {line}")), "{line}");
    // White's king in the triangle a1, d1, d4; on its diagonal, the lesser of two reflections.
    let classes = "
        position(P) :-
            member(X-Y, [1-1, 2-1, 3-1, 4-1, 2-2, 3-2, 4-2, 3-3, 4-3, 4-4]),
            P = krk(b, s(X, Y), s(A, B), s(C, D)),
            square(s(C, D)), \\+ touching(s(X, Y), s(C, D)),
            square(s(A, B)), s(A, B) \\== s(X, Y), s(A, B) \\== s(C, D),
            ( X =:= Y -> [A, B, C, D] @=< [B, A, D, C] ; true ).
    ";
    let reduced = solved(&session("krk", "", classes), Method::Retrograde, true, None);
    let [_, black] = reduced.all.expect("it was asked for all");
    let line = format!("total {} draw {} : {}", black.positions, black.draw, counts(&black.max_by_plies));
    assert!(rows.contains(&format!("reduced(8-fold) black-to-move {line}")), "{line}");
}

// Values in a file.

const VALUES: TableDefinition<'static, &str, (u8, u64)> = TableDefinition::new("values");

/// Everything that a file holds.
fn values(path: &Path) -> HashMap<String, (u8, u64)> {
    let database = redb::Database::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let read = database.begin_read().expect("it can be read");
    let table = read.open_table(VALUES).expect("it has values");
    let rows = table.iter().expect("they can be read").map(|row| row.expect("they can be read"));
    rows.map(|(key, value)| (key.value().to_string(), value.value())).collect()
}

fn saving(path: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    let game = ["solve", "games/connect_four.pl", "-p", "width=4", "-p", "height=4", "-p", "row=3", "--save"];
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(game).arg(path).stdout(Stdio::null());
    command
}

/// kill -9 at any moment leaves no file, or one that opens and holds true values only.
#[test]
fn a_killed_run_leaves_only_true_values() {
    let whole = scratch("whole.db");
    let begun = Instant::now();
    assert!(saving(&whole).status().expect("it runs").success());
    let took = begun.elapsed();
    let truth = values(&whole);
    assert_eq!(truth.len(), 41_750);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut some, mut opened) = (0, 0);
    for number in 0..setting("ALPHORN_KILLS", 10) {
        let path = scratch(&format!("killed-{number}.db"));
        let mut child = saving(&path).spawn().expect("it runs");
        // Most of the time goes into solving; what is of interest comes after.
        std::thread::sleep(Duration::from_secs_f64(took.as_secs_f64() * random.random_range(0.3..1.0)));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let part = PathBuf::from(format!("{}.{}.part", path.display(), child.id()));
        let _ = fs::remove_file(part);
        if !path.exists() {
            continue;
        }
        opened += 1;
        let session = session("connect_four", "width=4 height=4 row=3", "");
        drop(Database::open(&session, &path).unwrap_or_else(|failure| panic!("{failure:?}")));
        let found = values(&path);
        some += u32::from(found.len() < truth.len() && !found.is_empty());
        for (position, value) in &found {
            assert_eq!(truth.get(position), Some(value), "{position}");
        }
        if number < 2 {
            assert!(saving(&path).status().expect("it runs").success(), "a file that was cut short is gone on with");
            assert_eq!(values(&path), truth);
        }
        let _ = fs::remove_file(&path);
    }
    eprintln!("{opened} files were there, {some} of them held some of the values");
    let _ = fs::remove_file(&whole);
}

#[test]
fn a_file_of_values_answers_for_its_own_game_alone() {
    let path = scratch("hexapawn.db");
    let hexapawn = session("hexapawn", "", "");
    let game = hexapawn.game().unwrap_or_else(|failure| panic!("{failure:?}"));
    let limits = Limits::default();
    let asking = Asking { method: Method::Auto, all: false, save: Some(&path), proof: None, limits: &limits };
    let found = hexapawn.solve(&game, &Start::default(), &asking).unwrap_or_else(|failure| panic!("{failure:?}"));
    assert_eq!(found.saved, Some(135));
    let database = Database::open(&hexapawn, &path).unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut state = hexapawn.position(&game, &Start::default()).unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut plies = 6;
    while game.turn(&state).is_ok_and(|turn| turn != Turn::Over) {
        let known =
            hexapawn.looked_up(&game, &state, &database, &limits).unwrap_or_else(|failure| panic!("{failure:?}"));
        let known = known.expect("every position is there").outcome;
        let searched = hexapawn.value(&game, &state, &Algorithm::AlphaBeta.into(), &limits);
        let searched = searched.unwrap_or_else(|failure| panic!("{failure:?}")).outcome;
        assert_eq!((known.value, known.plies(), known.exact), (searched.value, Some(plies), true));
        assert_eq!(known.line.len() as u32, plies);
        let mut moves = Vec::new();
        game.moves(&state, &mut moves).unwrap_or_else(|fault| panic!("{fault:?}"));
        let best = moves.into_iter().find(|mv| {
            hexapawn.label(&game, &state, mv).unwrap_or_else(|failure| panic!("{failure:?}")) == known.line[0]
        });
        state = best.expect("the best move is legal").next;
        plies -= 1;
    }
    let other = session("hexapawn", "width=4", "");
    assert!(Database::open(&other, &path).is_err(), "another width is another game");
    fs::write(&path, "this is no database").expect("it can be written");
    assert!(Database::open(&hexapawn, &path).is_err(), "a text is no database");
    let _ = fs::remove_file(&path);
}
