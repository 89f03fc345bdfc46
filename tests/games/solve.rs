//! Tests that solving agrees with slow and obvious computations, on random graphs and on shipped games.
//!
//! The games are random implementations of the trait `Game` with cycles, two moves of one player in a row,
//! doubled moves, draws and numbers, and the rows of `tests/data/reference.tsv`. Retrograde analysis must
//! give the fixpoint that is computed layer by layer, proof-number search the same winner, and alpha-beta
//! search the same score if no position repeats. Every proof must verify, and a changed proof must not.
//! `ALPHORN_GRAPHS` sets the number of graphs (300), `ALPHORN_KILLS` the number of killed processes (10).

use alphorn::game::{GameResult, Score, Side};
use alphorn::search::limits::Limits;
use alphorn::search::{Algorithm, run};
use alphorn::solve::retrograde::solve;
use alphorn::solve::{SolveError, pns, winner};
use graph::{Graph, Place, ROOM, Worth, fixpoint, graphs, layered, minimax, task};
use proofs::proofs_hold;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::sync::atomic::AtomicBool;

mod file;
mod graph;
mod numbers;
mod proofs;
mod rules;
mod shipped;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn retrograde_analysis_gives_the_fixpoint() {
    for (seed, graph) in graphs(20, false) {
        let truth = fixpoint(&graph);
        let roots: Vec<usize> = (0..graph.places.len()).collect();
        let solution = solve(&task(&graph, &Limits::default(), ROOM), &roots).expect("it fits");
        for (at, root) in solution.roots().enumerate() {
            assert_eq!(root.known.map(|known| known.score), Some(truth[at]), "graph {seed}, position {at}");
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
            assert_eq!(root.known.map(|known| known.score), Some(truth[at]), "graph {seed}, position {at}");
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
            if let Some(best) = proof.best(&task(&graph, &limits, ROOM), &root).expect("it never faults") {
                assert_eq!(winner(truth[best]), proof.winner, "graph {seed}: the move from {root} to {best}");
            } else {
                let wins =
                    proof.winner.is_some_and(|side| matches!(graph.places[root], Place::Moves(by, _) if by == side));
                assert!(!wins, "graph {seed}: there is a winning move from {root}");
            }
        }
    }
}

/// If the table is too small, positions are searched again and again, but the values do not change.
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
        Place::Over(Some(GameResult::Points(2.0)), 0.0),
    ];
    let graph = Graph { places: places.clone(), acyclic: true, paired: false };
    let error = solve(&task(&graph, &Limits::default(), ROOM), &[0]).map(|_| ());
    assert_eq!(error, Err(SolveError::Cycle));
    let graph = Graph { places, acyclic: false, paired: false };
    let solution = solve(&task(&graph, &Limits::default(), ROOM), &[0]).expect("it need not be acyclic");
    assert_eq!(solution.score_of(&0), Some(Score::Value(2.0)));
}

#[test]
fn too_little_memory_and_the_stop_flag_are_told() {
    let mut places: Vec<Place> = (1..2000).map(|next| Place::Moves(Side::Min, vec![next])).collect();
    places.push(Place::Over(Some(GameResult::Draw), 0.0));
    let graph = Graph { places, acyclic: true, paired: false };
    let error = solve(&task(&graph, &Limits::default(), 10 << 10), &[0]).map(|_| ());
    assert!(matches!(error, Err(SolveError::Memory { positions }) if positions > 0), "{error:?}");
    let stop = AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    assert_eq!(solve(&task(&graph, &limits, ROOM), &[0]).map(|_| ()), Err(SolveError::Stopped));
    assert_eq!(pns::prove(&task(&graph, &limits, ROOM), &0).map(|_| ()), Err(SolveError::Stopped));
}
