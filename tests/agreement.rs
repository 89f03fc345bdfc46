//! Every search algorithm gives what minimax gives, and minimax gives what the definition says.
//!
//! In: random trees and graphs with ties, uneven branching, moves twice in a row, every kind of
//! ending and of horizon; and the known trees of the books. The definition is a recursive function
//! over whole paths, which shares no line with the searches it judges.

use alphorn::advice::narrow::{ALWAYS, Narrow, Narrowed, Through};
use alphorn::game::{Blank, Ending, Heuristic, Score, Side};
use alphorn::search::limits::Limits;
use alphorn::search::outcome::{Iteration, Line, LineEnd, Outcome, SearchError};
use alphorn::search::perft::perft;
use alphorn::search::{Algorithm, Crew, Settings, Table, run, think, think_together};
use proptest::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use toy::{Biased, Fickle, Numbers, Position, Restless, Toy, graphs, trees, uniform};

#[path = "../examples/native_game.rs"]
#[allow(dead_code)] // Its `main` runs as an example only.
mod native_game;
#[path = "agreement/toy.rs"]
mod toy;

// The definition.

/// The value of the last position of `path` in a search to `depth` plies from its first, by the
/// definition of minimax; `beyond` says what a position at the horizon counts as.
fn value(
    toy: &Toy,
    path: &mut Vec<usize>,
    depth: Option<u32>,
    beyond: &mut dyn FnMut(&Toy, usize, u32) -> Score,
) -> Score {
    let (&state, before) = path.split_last().expect("a path has a position");
    let plies = before.len() as u32;
    if toy.repetition_is_draw && before.contains(&state) {
        return Score::Value(0.0);
    }
    let position = &toy.positions[state];
    if position.children.is_empty() {
        return ended(position, plies);
    }
    if depth == Some(plies) {
        return beyond(toy, state, plies);
    }
    let mut values = Vec::new();
    for &child in &position.children {
        path.push(child);
        values.push(value(toy, path, depth, beyond));
        path.pop();
    }
    let best = match position.mover {
        Side::Max => values.into_iter().max(),
        Side::Min => values.into_iter().min(),
    };
    best.expect("there are children")
}

fn ended(position: &Position, plies: u32) -> Score {
    match position.ending {
        Some(Ending::Won(Side::Max)) => Score::Win { plies },
        Some(Ending::Won(Side::Min)) => Score::Loss { plies },
        Some(Ending::Draw) => Score::Value(0.0),
        Some(Ending::Points(points)) => Score::Value(points),
        None => Score::Value(position.number),
    }
}

fn judged(toy: &Toy, state: usize, _plies: u32) -> Score {
    Score::Value(toy.positions[state].number)
}

/// What a position at the horizon counts as when it has come to rest, by the definition of
/// quiescence: nobody has to make a noisy move, but where there is no choice nobody may rest; and
/// so many plies behind the horizon there is rest everywhere.
fn rested<H: Heuristic<Toy>>(rest: &H, tree: &Toy, state: usize, plies: u32, left: u32) -> Score {
    let position = &tree.positions[state];
    if position.children.is_empty() {
        return ended(position, plies);
    }
    let Ok(quiet) = rest.is_quiet(tree, &state);
    let Ok(forced) = rest.is_forced(tree, &state);
    let follows = |child: &&usize| forced || rest.is_noisy(tree, &state, child) == Ok(true);
    if quiet || left == 0 {
        return judged(tree, state, plies);
    }
    let behind = position.children.iter().filter(follows).map(|&child| rested(rest, tree, child, plies + 1, left - 1));
    let values = behind.chain((!forced).then(|| judged(tree, state, plies)));
    let best = match position.mover {
        Side::Max => values.max(),
        Side::Min => values.min(),
    };
    best.expect("there are children, or nobody is forced")
}

/// The least and the greatest that a position at the horizon can be worth.
fn extremes(toy: &Toy, plies: u32) -> [Score; 2] {
    // Infinite play is worth 0.
    let draw = if toy.acyclic { f64::NAN } else { 0.0 };
    match toy.value_range {
        // A minimum with NaN is the other number.
        Some((least, greatest)) => [Score::Value(least.min(draw)), Score::Value(greatest.max(draw))],
        None => [Score::Loss { plies: plies + 1 }, Score::Win { plies: plies + 1 }],
    }
}

/// Most estimates in a tree whose every completion is tried.
const MOST_ESTIMATES: u32 = 8;

/// Whether the last position of `path` is worth `claim` however the positions at the horizon turn
/// out: in every combination of worst and best where they are few, else in all worst and all best.
fn certainly(toy: &Toy, path: &mut Vec<usize>, depth: Option<u32>, claim: Score) -> bool {
    let mut estimates = 0;
    value(toy, path, depth, &mut |_, _, _| {
        estimates += 1;
        Score::Value(0.0)
    });
    let few = estimates <= MOST_ESTIMATES;
    let completions = if few { 1_u32 << estimates } else { 2 };
    (0..completions).all(|completion| {
        let mut met = 0;
        let completed = value(toy, path, depth, &mut |toy, _, plies| {
            let bit = if few { completion >> met } else { completion };
            met += 1;
            extremes(toy, plies)[(bit & 1) as usize]
        });
        completed == claim
    })
}

// What is checked of every outcome.

/// Searches with `algorithm` and holds the outcome against the definition.
fn check(algorithm: Algorithm, toy: &Toy, depth: Option<u32>) -> Outcome<usize> {
    check_by(&Numbers, algorithm, toy, depth)
}

/// The same, where an opinion that evaluates as `Numbers` does may say more.
fn check_by<H: Heuristic<Toy>>(opinion: &H, algorithm: Algorithm, toy: &Toy, depth: Option<u32>) -> Outcome<usize> {
    let limits = Limits { depth, ..Limits::default() };
    let outcome = run(algorithm, toy, opinion, &0, &limits).expect("the game ends on every line");
    let claim = outcome.value.expect("nothing stopped the search");
    let truth = value(toy, &mut vec![0], depth, &mut judged);
    assert_eq!(claim, truth, "{algorithm}: the value");
    let exact = certainly(toy, &mut vec![0], depth, truth);
    // An engine with a table does not look for ever for a proof: for 4,096 positions at least.
    let all = run(Algorithm::Minimax, toy, &Numbers, &0, &limits).expect("the game ends on every line").nodes;
    let gave_up = !outcome.exact && !keeps_order(algorithm) && all > 1_000;
    assert!(outcome.exact == exact || gave_up, "{algorithm}: whether {claim} is exact");
    assert!(!outcome.stopped);
    assert_eq!(outcome.best, outcome.line.first().copied());
    check_line(algorithm, toy, &outcome, claim);
    outcome
}

/// Best play keeps the value, exactly where it is exact, and goes on to the end or the horizon.
fn check_line(algorithm: Algorithm, toy: &Toy, outcome: &Outcome<usize>, claim: Score) {
    let depth = outcome.depth;
    let mut path = vec![0];
    for &mv in &outcome.line {
        let state = path[path.len() - 1];
        assert!(toy.positions[state].children.contains(&mv), "{algorithm}: {mv} is no move");
        path.push(mv);
        let kept = value(toy, &mut path, depth, &mut judged);
        if outcome.exact {
            assert!(certainly(toy, &mut path, depth, claim), "{algorithm}: {path:?} owes {claim} to luck");
        } else {
            assert_eq!(kept, claim, "{algorithm}: {path:?} loses the value");
        }
    }
    let (&last, before) = path.split_last().expect("the root is there");
    let position = &toy.positions[last];
    let end = if toy.repetition_is_draw && before.contains(&last) {
        LineEnd::Repeated
    } else if position.children.is_empty() {
        position.ending.map_or(LineEnd::Numbered, LineEnd::Ended)
    } else {
        assert_eq!(depth, Some(before.len() as u32), "{algorithm}: {path:?} breaks off");
        LineEnd::Horizon
    };
    assert_eq!(outcome.end, Some(end), "{algorithm}: how {path:?} ends");
}

/// A search of at most `nodes` positions tells what the moves finished by then are worth.
fn check_stopped(algorithm: Algorithm, tree: &Toy, depth: Option<u32>, nodes: u64) {
    let limits = Limits { depth, nodes: Some(nodes), ..Limits::default() };
    let finished = RefCell::new(Vec::new());
    let report = |found: &Iteration<usize>| finished.borrow_mut().push(found.clone());
    let settings = Settings { report: Some(&report), ..Settings::default() };
    let outcome = think(algorithm, tree, &Numbers, &0, &limits, &settings).expect("the game ends");
    for (iteration, depth) in finished.borrow().iter().zip(depth.unwrap_or(u32::MAX).min(1)..) {
        assert_eq!(iteration.depth, depth, "one depth after the other");
        check_lines(tree, depth, &iteration.lines, 1);
    }
    assert!(outcome.nodes + outcome.proof_nodes <= nodes);
    if !outcome.stopped {
        assert_eq!(outcome, check(algorithm, tree, depth));
        return;
    }
    assert!(!outcome.exact);
    assert_eq!(outcome.value.is_some(), outcome.end.is_some());
    let Some(claim) = outcome.value else {
        assert_eq!(outcome.best, None);
        return;
    };
    let Some(best) = outcome.best else {
        // The root has the value by itself; what was stopped is the proof.
        assert_eq!(depth, Some(0));
        return;
    };
    if !keeps_order(algorithm) {
        let last = finished.borrow().last().map(|found| found.depth);
        assert!(algorithm != Algorithm::Auto || last.is_none() || outcome.depth == last);
        assert!(outcome.line.len() as u32 <= outcome.reached);
        check_plays(tree, &outcome.line);
        let worth = |path: &[usize], depth| value(tree, &mut path.to_vec(), depth, &mut judged);
        // The value to a depth that was finished, or what one move is worth to the next one.
        let whole = |depth| worth(&[0], depth) == claim && worth(&[0, best], depth) == claim;
        let begun = |depth| worth(&[0, best], depth) == claim;
        let first = if algorithm == Algorithm::Mtdf { depth.and(Some(1)) } else { Some(1) };
        let next = |done: u32| begun(Some(done + 1));
        let told = match (algorithm, last) {
            (Algorithm::Auto, Some(done)) => whole(last) || next(done),
            (Algorithm::Auto, None) => begun(first),
            // It tells of no depth on the way.
            _ => begun(first) || outcome.depth.is_some_and(|done| whole(Some(done)) || next(done)),
        };
        assert!(told, "{algorithm}: {claim} by {best}, {last:?} being finished");
        return;
    }
    let worth_of_first = |finished: usize| {
        let mut part = tree.clone();
        part.positions[0].children.truncate(finished);
        value(&part, &mut vec![0], depth, &mut judged)
    };
    let moves = tree.positions[0].children.len();
    assert!((1..=moves).any(|finished| worth_of_first(finished) == claim));
    assert_eq!(value(tree, &mut vec![0, best], depth, &mut judged), claim);
}

/// Without a depth limit a search ends with the right value, or with the first repetition it met.
fn check_undeclared(algorithm: Algorithm, graph: &Toy) {
    let searched = |algorithm| run(algorithm, graph, &Numbers, &0, &Limits::default());
    let line = match searched(algorithm) {
        Ok(outcome) => {
            // A cut may hide a repetition from this search that minimax runs into.
            assert!(outcome.exact);
            let oracle = searched(Algorithm::Minimax);
            assert!(oracle.is_err() || oracle.is_ok_and(|oracle| oracle.value == outcome.value));
            return;
        }
        Err(SearchError::Fault { fault, .. }) => match fault {},
        Err(SearchError::Repetition { line }) => line,
        Err(SearchError::Endless { .. }) => panic!("no limit on the length of a line was set"),
        Err(SearchError::Chance { .. }) => panic!("the game has no chance"),
    };
    let mut path = vec![0];
    for mv in line {
        let state = path[path.len() - 1];
        assert!(graph.positions[state].children.contains(&mv), "{algorithm}: {mv} is no move");
        assert!(!path[..path.len() - 1].contains(&state), "{algorithm}: {path:?} is reported late");
        path.push(mv);
    }
    let (last, before) = path.split_last().expect("the root is there");
    assert!(before.contains(last), "{algorithm}: {path:?} repeats nothing");
}

/// Whether it tries moves in the game's own order, so that of equally good ones the first is best.
fn keeps_order(algorithm: Algorithm) -> bool {
    !matches!(algorithm, Algorithm::Mtdf | Algorithm::Auto)
}

/// Whether it never looks at a line twice.
fn looks_once(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Minimax | Algorithm::AlphaBeta | Algorithm::Expectiminimax | Algorithm::Star1 | Algorithm::Star2
    )
}

/// Holds every algorithm against the definition and against minimax.
fn all_agree(toy: &Toy, depth: Option<u32>) {
    let oracle = check(Algorithm::Minimax, toy, depth);
    for algorithm in Algorithm::ALL {
        let outcome = check(algorithm, toy, depth);
        assert!(outcome.reached <= oracle.reached);
        if keeps_order(algorithm) {
            assert_eq!(outcome.line, oracle.line, "{algorithm}: the first of equally good lines");
        }
        if looks_once(algorithm) {
            assert!(outcome.nodes <= oracle.nodes && outcome.evals <= oracle.evals);
        }
    }
}

/// The definition of minimax where moves are left out for so many plies.
fn value_narrowed(tree: &Toy, path: &mut Vec<usize>, depth: Option<u32>, left: u32, bias: &Biased) -> Score {
    let (&state, before) = path.split_last().expect("a path has a position");
    let (plies, position) = (before.len() as u32, &tree.positions[state]);
    if position.children.is_empty() {
        return ended(position, plies);
    }
    if depth == Some(plies) {
        return judged(tree, state, plies);
    }
    let mut children = position.children.clone();
    if left > 0 {
        let Ok(_) = bias.narrow(tree, &state, &mut children, 0);
    }
    let mut values = Vec::new();
    for child in children {
        path.push(child);
        values.push(value_narrowed(tree, path, depth, left.saturating_sub(1), bias));
        path.pop();
    }
    let best = match position.mover {
        Side::Max => values.into_iter().max(),
        Side::Min => values.into_iter().min(),
    };
    best.expect("one move is kept at least")
}

/// Every algorithm gives the value of a game in which moves are left out: where that is done at
/// every ply, it is the value of the game that has only the others.
fn narrowed_agree(tree: &Toy, depth: Option<u32>, seed: u64, plies: u32) {
    let limits = Limits { depth, ..Limits::default() };
    let settings = Settings::default();
    for plies in [plies, ALWAYS] {
        let cut = AtomicBool::new(false);
        let game = Narrowed { game: tree, narrow: Biased { seed }, cut: &cut };
        let find = |algorithm| {
            think(algorithm, &game, &Through(&Numbers), &(0, plies), &limits, &settings).expect("the game ends").value
        };
        let oracle = find(Algorithm::Minimax);
        for algorithm in Algorithm::ALL {
            assert_eq!(find(algorithm), oracle, "{algorithm}, moves left out for {plies} plies");
        }
        // By the definition, where moves are left out only so far from the root.
        let told = value_narrowed(tree, &mut vec![0], depth, plies, &Biased { seed });
        assert_eq!(oracle, Some(told), "moves left out for {plies} plies");
        if plies == ALWAYS {
            let mut less = tree.clone();
            for (state, position) in less.positions.iter_mut().enumerate() {
                let Ok(_) = Biased { seed }.narrow(tree, &state, &mut position.children, 0);
            }
            assert_eq!(oracle, Some(value(&less, &mut vec![0], depth, &mut judged)));
            assert!(cut.into_inner() || oracle == Some(value(tree, &mut vec![0], depth, &mut judged)));
        }
    }
}

// Random games.

fn depths() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![1 => Just(None), 3 => (0..6_u32).prop_map(Some)]
}

/// How many random games each property is tried on: `ALPHORN_CASES=1000000` for the long run.
fn number() -> u32 {
    std::env::var("ALPHORN_CASES").map_or(4000, |cases| cases.parse().expect("ALPHORN_CASES is a number"))
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: prop::test_runner::RngSeed::Fixed(1975),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(number()))]

    #[test]
    fn all_agree_on_random_trees(tree in trees(), depth in depths()) {
        all_agree(&tree, depth);
    }

    #[test]
    fn all_agree_where_repetition_is_a_draw(mut graph in graphs(), depth in depths()) {
        graph.repetition_is_draw = true;
        all_agree(&graph, depth);
    }

    #[test]
    fn a_depth_limit_searches_through_repetitions(graph in graphs(), depth in 0..6_u32) {
        all_agree(&graph, Some(depth));
    }

    #[test]
    fn an_order_of_moves_changes_no_value(tree in trees(), depth in depths(), seed: u64) {
        for algorithm in Algorithm::ALL {
            check_by(&Biased { seed }, algorithm, &tree, depth);
        }
    }

    #[test]
    fn an_order_of_moves_changes_no_value_where_lines_meet(mut graph in graphs(), depth in depths(), seed: u64) {
        graph.repetition_is_draw = true;
        for algorithm in Algorithm::ALL {
            check_by(&Biased { seed }, algorithm, &graph, depth);
        }
    }

    #[test]
    fn a_game_with_fewer_moves_is_a_game_of_its_own(tree in trees(), depth in depths(), seed: u64, plies in 1..5_u32) {
        narrowed_agree(&tree, depth, seed, plies);
    }

    #[test]
    fn tables_and_threads_change_no_value(tree in trees(), depth in 0..6_u32) {
        tables_change_nothing(&tree, depth);
    }

    #[test]
    fn nor_do_they_where_positions_come_again(mut graph in graphs(), depth in 0..6_u32, draws in any::<bool>()) {
        graph.repetition_is_draw = draws;
        tables_change_nothing(&graph, depth);
    }

    #[test]
    fn all_agree_on_positions_that_have_come_to_rest(tree in trees(), depth in 0..6_u32) {
        quiescence_agrees(&Restless, 64, &tree, depth);
    }

    #[test]
    fn and_where_all_moves_are_followed(mut graph in graphs(), depth in 0..4_u32, draws in any::<bool>()) {
        graph.repetition_is_draw = draws;
        // Nothing is cut off in the definition.
        graph.positions.iter_mut().for_each(|position| position.children.truncate(2));
        quiescence_agrees(&Fickle, 8, &graph, depth);
    }

    #[test]
    fn a_stopped_search_tells_the_first_moves(tree in trees(), depth in depths(), nodes in 0..40_u64) {
        for algorithm in Algorithm::ALL {
            check_stopped(algorithm, &tree, depth, nodes);
        }
    }

    #[test]
    fn undeclared_repetitions_are_reported(graph in graphs()) {
        for algorithm in Algorithm::ALL {
            check_undeclared(algorithm, &graph);
        }
    }
}

/// With quiescence a value is minimax's over positions at rest, and exact only if none of them matters.
fn quiescence_agrees<H: Heuristic<Toy>>(rest: &H, most: u32, tree: &Toy, depth: u32) {
    let truth = value(tree, &mut vec![0], Some(depth), &mut |toy, state, plies| rested(rest, toy, state, plies, most));
    let limits = Limits::to_depth(depth);
    let mut plainest = None;
    for algorithm in Algorithm::ALL {
        let found = run(algorithm, tree, rest, &0, &limits).expect("the game ends");
        assert_eq!(found.value, Some(truth), "{algorithm}: the value");
        assert!(
            !found.exact || certainly(tree, &mut vec![0], Some(depth), truth),
            "{algorithm}: {truth} is no estimate"
        );
        let most = *plainest.get_or_insert(found.nodes);
        assert!(!looks_once(algorithm) || found.nodes <= most, "{algorithm} visits {} positions", found.nodes);
    }
}

/// Searches with tables so small that hardly anything stays in them, with hashes of eight bits, with
/// what other searches have left behind, and with helpers, give the same value.
fn tables_change_nothing(toy: &Toy, depth: u32) {
    let truth = value(toy, &mut vec![0], Some(depth), &mut judged);
    let limits = Limits::to_depth(depth);
    for table in [Table::new(0), Table::with_bits(1 << 13, 8), Table::new(1 << 16)] {
        let table = table.expect("there is room");
        for _ in 0..2 {
            for algorithm in [Algorithm::Mtdf, Algorithm::Auto] {
                let settings = Settings { table: Some(&table), ..Settings::default() };
                let found = think(algorithm, toy, &Numbers, &0, &limits, &settings).expect("the game ends");
                assert_eq!(found.value, Some(truth), "{algorithm}");
            }
            let settings = Settings { table: Some(&table), lines: 3, ..Settings::default() };
            let found = think(Algorithm::Auto, toy, &Numbers, &0, &limits, &settings).expect("the game ends");
            check_lines(toy, depth, &found.lines, 3);
        }
        let quit = AtomicBool::new(false);
        let crew = Crew { helpers: 2, after: 0, quit: &quit, game: &|| Some(toy.clone()) };
        let settings = Settings { table: Some(&table), lines: 2, seed: Some(7), ..Settings::default() };
        let found =
            think_together(Algorithm::Auto, toy, &Numbers, &0, &limits, &settings, &crew).expect("the game ends");
        assert_eq!(found.value, Some(truth), "three threads");
        check_lines(toy, depth, &found.lines, 2);
    }
}

/// The lines are those of the best moves, as many as were asked for, the best first; each is of a
/// move of its own and has the value that it claims.
fn check_lines(toy: &Toy, depth: u32, lines: &[Line<usize>], asked: usize) {
    // Without a ply there is no move to tell of.
    if depth == 0 {
        return assert!(lines.is_empty());
    }
    let worth = |&child: &usize| value(toy, &mut vec![0, child], Some(depth), &mut judged);
    let mut left = toy.positions[0].children.clone();
    let mut best: Vec<Score> = left.iter().map(worth).collect();
    best.sort_unstable();
    if toy.positions[0].mover == Side::Max {
        best.reverse();
    }
    best.truncate(asked);
    assert_eq!(lines.iter().map(|line| line.value).collect::<Vec<_>>(), best);
    for line in lines {
        let first = left.iter().position(|child| *child == line.moves[0]).expect("a move, and no other line's");
        assert_eq!(worth(&left.swap_remove(first)), line.value);
        check_plays(toy, &line.moves);
    }
}

/// Every move of a line is one of the game.
fn check_plays(toy: &Toy, line: &[usize]) {
    for (from, mv) in [0].iter().chain(line).zip(line) {
        assert!(toy.positions[*from].children.contains(mv), "{mv} is no move in {line:?}");
    }
}

// Known trees.

/// The value of `toy`, and the leaves that minimax, F1 and alpha-beta in its three forms look at.
fn value_and_leaves(toy: &Toy) -> (Score, u64, u64, u64) {
    all_agree(toy, None);
    let plain = check(Algorithm::Minimax, toy, None);
    let bounded = check(Algorithm::F1, toy, None);
    let cut = check(Algorithm::AlphaBeta, toy, None);
    for form in [Algorithm::F2, Algorithm::F2G2] {
        assert_eq!(check(form, toy, None).evals, cut.evals, "{form} visits what alpha-beta visits");
    }
    (plain.value.expect("nothing stopped it"), plain.evals, bounded.evals, cut.evals)
}

/// Ivan Bratko, "Prolog Programming for Artificial Intelligence", figure 15.2 in some editions.
#[test]
fn bratkos_tree_takes_five_leaves_of_eight() {
    let tree = uniform(2, &[1.0, 4.0, 5.0, 6.0, 2.0, 1.0, 1.0, 1.0]);
    assert_eq!(value_and_leaves(&tree), (Score::Value(4.0), 8, 5, 5));
}

/// Knuth and Moore, 1975: the ternary tree of height 4 whose leaves are the digits of pi.
#[test]
fn the_tree_of_pi_takes_thirty_one_leaves_of_eighty_one() {
    let digits = "314159265358979323846264338327950288419716939937510582097494459230781640628620899";
    let leaves: Vec<f64> = digits.bytes().map(|digit| f64::from(digit - b'0')).collect();
    assert_eq!(value_and_leaves(&uniform(3, &leaves)), (Score::Value(2.0), 81, 36, 31));
}

/// Knuth and Moore, 1975: a perfectly ordered tree costs b^ceil(d/2) + b^floor(d/2) - 1 leaves.
/// Where all leaves are equal, every order is perfect.
#[test]
fn a_perfectly_ordered_tree_costs_the_critical_leaves() {
    for (branching, height) in [(2_usize, 5_u32), (2, 6), (3, 4), (5, 3)] {
        let leaves = vec![1.0; branching.pow(height)];
        let critical = branching.pow(height.div_ceil(2)) + branching.pow(height / 2) - 1;
        let (_, plain, _, cut) = value_and_leaves(&uniform(branching, &leaves));
        assert_eq!((plain, cut), (leaves.len() as u64, critical as u64));
    }
}

#[test]
fn tic_tac_toe_is_a_draw_of_nine_plies() {
    let start = native_game::Board::default();
    for algorithm in Algorithm::ALL {
        let searched = run(algorithm, &native_game::TicTacToe, &Blank, &start, &Limits::default());
        let outcome = searched.expect("every line ends");
        assert_eq!(outcome.value, Some(Score::Value(0.0)));
        assert_eq!((outcome.exact, outcome.plies(), outcome.reached), (true, Some(9), 9));
        match algorithm {
            Algorithm::Minimax | Algorithm::Expectiminimax => assert_eq!(outcome.nodes, 549_946),
            Algorithm::F1 => assert_eq!(outcome.nodes, 35_156),
            Algorithm::F2 | Algorithm::F2G2 | Algorithm::AlphaBeta | Algorithm::Star1 | Algorithm::Star2 => {
                assert_eq!(outcome.nodes, 20_866)
            }
            _ => assert!(outcome.nodes < 20_866, "{algorithm} visits {} positions", outcome.nodes),
        }
    }
}

#[test]
fn tic_tac_toe_has_the_published_lines() {
    let counted = perft(&native_game::TicTacToe, &native_game::Board::default(), 12, None);
    let paths = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
    assert_eq!(counted.expect("the rules are right").paths, paths);
    assert_eq!(paths.iter().sum::<u64>() + 1, 549_946);
}
