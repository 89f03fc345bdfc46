//! Tests that every search algorithm gives the value of minimax, and that minimax gives the value of the
//! definition.
//!
//! The games are random trees and graphs with equal values, uneven branching, two moves of one player in a
//! row, every kind of end of the game and of horizon, and the known trees of the books. The definition is a
//! recursive function over whole lines; it shares no code with the searches.

use alphorn::advice::filter::{ALWAYS, FilteredEvaluation, FilteredGame, MoveFilter};
use alphorn::game::{GameResult, Heuristic, NoEvaluation, Score, Side};
use alphorn::search::limits::Limits;
use alphorn::search::perft::perft;
use alphorn::search::result::{Iteration, LineEnd, ScoredLine, SearchError, SearchResult};
use alphorn::search::{
    Algorithm, HelperThreads, SearchSettings, TranspositionTable, run, search_parallel, search_with,
};
use checks::*;
use proptest::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use toy::{Biased, Fickle, Numbers, Position, Restless, Toy, graphs, trees, uniform};

mod checks;
#[path = "../../examples/native_game.rs"]
#[allow(dead_code)] // Its `main` runs as an example only.
mod native_game;
mod textbook;
pub(crate) mod toy;

// The definition.

fn depths() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![1 => Just(None), 3 => (0..6_u32).prop_map(Some)]
}

/// The number of random games for each property: `ALPHORN_CASES=1000000` for a long run.
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
        // The definition has no cutoffs.
        graph.positions.iter_mut().for_each(|position| position.children.truncate(2));
        quiescence_agrees(&Fickle, 8, &graph, depth);
    }

    /// Regression test: quiescence search followed such a line for 64 plies with several moves each, so two
    /// positions were enough for a search without end.
    #[test]
    fn and_where_positions_come_again_behind_the_horizon(mut graph in graphs(), depth in 0..4_u32, draws in any::<bool>()) {
        graph.repetition_is_draw = draws;
        graph.positions.iter_mut().for_each(|position| position.children.truncate(2));
        quiescence_agrees(&Restless, 64, &graph, depth);
    }

    #[test]
    fn a_stopped_search_tells_the_first_moves(tree in trees(), depth in depths(), nodes in 0..40_u64) {
        for algorithm in Algorithm::ALL {
            check_stopped(algorithm, &tree, depth, nodes);
        }
    }

    #[test]
    fn random_play_is_the_same_if_the_game_chooses(mut graph in graphs(), draws in any::<bool>(), leaves_out in 2..40_usize, nodes in 1..400_u64) {
        graph.repetition_is_draw = draws;
        choosing_changes_nothing(graph, leaves_out, nodes);
    }

    #[test]
    fn and_if_it_has_no_repetitions(tree in trees(), leaves_out in 2..40_usize, nodes in 1..400_u64) {
        choosing_changes_nothing(tree, leaves_out, nodes);
    }

    #[test]
    fn undeclared_repetitions_are_reported(graph in graphs()) {
        for algorithm in Algorithm::ALL {
            check_undeclared(algorithm, &graph);
        }
    }
}

/// Random play has the same result if the game chooses the successors, except in some positions.
fn choosing_changes_nothing(mut toy: Toy, leaves_out: usize, nodes: u64) {
    let played = |toy: &Toy, nodes: Option<u64>| {
        let settings = SearchSettings { games: 40, seed: Some(5), ..SearchSettings::default() };
        let limits = Limits { nodes, ..Limits::default() };
        let found = search_with(Algorithm::Playouts, toy, &Numbers, &0, &limits, &settings);
        format!("{:?}", found.expect("random play has no fault"))
    };
    let all_moves = [None, Some(nodes)].map(|nodes| played(&toy, nodes));
    toy.chooses = Some(leaves_out);
    assert_eq!([None, Some(nodes)].map(|nodes| played(&toy, nodes)), all_moves);
}

/// With quiescence search, the value is that of minimax over quiet positions. The value is exact only if no
/// estimate matters.
fn quiescence_agrees<H: Heuristic<Toy>>(rest: &H, most: u32, tree: &Toy, depth: u32) {
    let truth =
        value(tree, &mut vec![0], Some(depth), &mut |toy, state, plies| rested(rest, toy, &[state], plies, most));
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

/// Searches give the same value with very small tables, with hashes of eight bits, with the results of other
/// searches in the table, and with helper threads.
fn tables_change_nothing(toy: &Toy, depth: u32) {
    let truth = value(toy, &mut vec![0], Some(depth), &mut judged);
    let limits = Limits::to_depth(depth);
    for table in
        [TranspositionTable::new(0), TranspositionTable::with_bits(1 << 13, 8), TranspositionTable::new(1 << 16)]
    {
        let table = table.expect("there is room");
        for _ in 0..2 {
            for algorithm in [Algorithm::Mtdf, Algorithm::Auto] {
                let settings = SearchSettings { table: Some(&table), ..SearchSettings::default() };
                let found = search_with(algorithm, toy, &Numbers, &0, &limits, &settings).expect("the game ends");
                assert_eq!(found.value, Some(truth), "{algorithm}");
            }
            let settings = SearchSettings { table: Some(&table), lines: 3, ..SearchSettings::default() };
            let found = search_with(Algorithm::Auto, toy, &Numbers, &0, &limits, &settings).expect("the game ends");
            check_lines(toy, depth, &found.lines, 3);
        }
        let quit = AtomicBool::new(false);
        let threads = HelperThreads { helpers: 2, after: 0, quit: &quit, game: &|| Some(toy.clone()) };
        let settings = SearchSettings { table: Some(&table), lines: 2, seed: Some(7), ..SearchSettings::default() };
        let found =
            search_parallel(Algorithm::Auto, toy, &Numbers, &0, &limits, &settings, &threads).expect("the game ends");
        assert_eq!(found.value, Some(truth), "three threads");
        check_lines(toy, depth, &found.lines, 2);
    }
}

/// The lines are those of the best moves: as many as requested, the best first, each with another first move
/// and with the value that it claims.
fn check_lines(toy: &Toy, depth: u32, lines: &[ScoredLine<usize>], asked: usize) {
    // At depth 0 there are no moves.
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

/// Every move of a line is a legal move.
fn check_plays(toy: &Toy, line: &[usize]) {
    for (from, mv) in [0].iter().chain(line).zip(line) {
        assert!(toy.positions[*from].children.contains(mv), "{mv} is no move in {line:?}");
    }
}

// Known trees.
