//! Tests games with cycles that end in numbers. Earlier versions could not solve such games.
//!
//! The reference looks ahead a fixed number of plies and counts 0 for unfinished games. After as many plies
//! as there are positions, this is the value.

use super::graph::{Graph, Place, ROOM, cyclic_in_numbers, task};
use super::proofs::{proofs_hold, random_proofs};
use super::setting;
use alphorn::game::{GameResult, Score, Side};
use alphorn::search::limits::Limits;
use alphorn::solve::retrograde::solve;
use alphorn::solve::strategy::line;
use alphorn::solve::{SolvedValue, one_ply_before};
use std::sync::atomic::AtomicBool;

fn worth(place: &Place) -> Option<Score> {
    match place {
        Place::Moves(..) => None,
        Place::Over(Some(ending), _) => Some(Score::of_result(*ending, 0)),
        Place::Over(None, number) => Some(Score::number(*number)),
    }
}

/// The value of every position: the best result in as many plies as there are positions.
fn iterated(graph: &Graph) -> Vec<Score> {
    let mut values: Vec<Score> = graph.places.iter().map(|place| worth(place).unwrap_or(Score::Value(0.0))).collect();
    for _ in 0..graph.places.len() {
        let before = values.clone();
        for (at, place) in graph.places.iter().enumerate() {
            let Place::Moves(side, next) = place else { continue };
            let next = next.iter().map(|to| one_ply_before(before[*to]));
            let best = if *side == Side::Max { next.max() } else { next.min() };
            values[at] = best.expect("there is a move");
        }
    }
    values
}

/// The plies to the end if both sides keep the value, the side that is better off hurries and the other side
/// delays; `None` if the value is 0.
fn distances(graph: &Graph, values: &[Score]) -> Vec<Option<u32>> {
    let zero = Score::Value(0.0);
    let mut plies: Vec<Option<u32>> = vec![None; values.len()];
    for _ in 0..=values.len() {
        let before = plies.clone();
        for (at, place) in graph.places.iter().enumerate().filter(|(at, _)| values[*at] != zero) {
            let Place::Moves(side, next) = place else {
                plies[at] = Some(0);
                continue;
            };
            let kept = next.iter().filter(|to| one_ply_before(values[**to]) == values[at]).map(|to| before[*to]);
            let hurries = (values[at] > zero) == (*side == Side::Max);
            plies[at] = match hurries {
                true => kept.flatten().min(),
                // An unknown distance counts as infinite.
                false => kept
                    .map(|plies| plies.ok_or(()))
                    .collect::<Result<Vec<u32>, ()>>()
                    .ok()
                    .and_then(|all| all.into_iter().max()),
            }
            .map(|plies| plies + 1);
        }
    }
    plies
}

#[test]
fn numbers_with_repeated_positions_are_solved_as_value_iteration_solves_them() {
    let (mut cyclic, mut negative) = (0, 0);
    for (seed, graph) in cyclic_in_numbers(8, setting("ALPHORN_CASES", 10_000)) {
        let truth = iterated(&graph);
        let plies = distances(&graph, &truth);
        let roots: Vec<usize> = (0..graph.places.len()).collect();
        let solution = solve(&task(&graph, &Limits::default(), ROOM), &roots).expect("it fits");
        for (at, root) in solution.roots().enumerate() {
            let known = root.known.expect("nothing has stopped it");
            assert_eq!(known.score, truth[at], "graph {seed}, position {at}");
            assert_eq!(known.plies, plies[at], "graph {seed}, position {at}");
            negative += u32::from(known.score < Score::Value(0.0));
        }
        cyclic += u32::from(solution.ends_in_numbers());
        proofs_hold(&graph, &solution, truth[0], seed);
        best_play_keeps_the_value(&graph, &truth, seed);
    }
    assert!(cyclic > 100 && negative > 100, "{cyclic} graphs, {negative} positions");
}

/// Best play reaches an end with the value of the position; if the value is 0, it may go on for ever.
fn best_play_keeps_the_value(graph: &Graph, truth: &[Score], seed: u64) {
    let limits = Limits::default();
    let task = task(graph, &limits, ROOM);
    let solution = solve(&task, &[0]).expect("it fits");
    let best = line(&task, &0, |state| solution.known_of(state)).expect("it never faults");
    let Some(SolvedValue { score, plies }) = solution.known_of(&if graph.paired { 1 } else { 0 }) else {
        panic!("graph {seed}: the root was solved")
    };
    let played = best.moves.len() as u32;
    match worth(&graph.places[best.last]) {
        Some(end) => {
            assert!(
                (0..played).fold(end, |score, _| one_ply_before(score)) == score,
                "graph {seed}: {end} for {score}"
            );
            assert!(plies.is_none_or(|plies| plies == played), "graph {seed}: {played} plies for {plies:?}");
        }
        None => assert_eq!(truth[0], Score::Value(0.0), "graph {seed}: play goes on for ever"),
    }
}

/// Whatever a proof of a number looks like, it verifies only if its claim is true.
#[test]
fn nothing_false_is_proved_of_numbers_with_repeated_positions() {
    let claims = [-2.0, -1.0, 0.0, 1.0, 2.0];
    let mut stood = 0;
    for (seed, graph) in cyclic_in_numbers(4, setting("ALPHORN_CASES", 3000) / 10) {
        stood += random_proofs(&graph, &iterated(&graph), &claims, seed);
    }
    assert!(stood > 100, "only {stood} random proofs stood");
}

/// Solving a thousand different numbers in a hundred thousand positions takes no more work than one number.
#[test]
fn many_different_numbers_cost_no_more_than_few() {
    let (ends, inner) = (1000, 100_000);
    let places = (0..inner)
        .map(|at: usize| {
            let side = if at.is_multiple_of(3) { Side::Max } else { Side::Min };
            let to = |salt: usize| (at * 7919 + salt * 104_729 + salt * salt) % (inner + ends);
            Place::Moves(side, vec![(at + 1) % inner, to(1), to(2)])
        })
        .chain((0..ends).map(|end| Place::Over(Some(GameResult::Points(end as f64 - 500.0)), 0.0)))
        .collect();
    let graph = Graph { places, acyclic: false, paired: false };
    let solution = solve(&task(&graph, &Limits::default(), 1 << 30), &[0]).expect("it fits");
    let score_of = |at: usize| solution.score_of(&at);
    let mut different: Vec<i64> = (0..inner).filter_map(score_of).map(Score::rank).collect();
    different.sort_unstable();
    different.dedup();
    assert!(different.len() > 20, "{} different values", different.len());
    // Every value is the best value of the successors.
    for (at, place) in graph.places.iter().enumerate() {
        let (Place::Moves(side, next), Some(score)) = (place, score_of(at)) else { continue };
        let next = next.iter().filter_map(|to| score_of(*to));
        assert_eq!(if *side == Side::Max { next.max() } else { next.min() }, Some(score), "position {at}");
    }
}

#[test]
fn the_stop_flag_ends_solving_numbers() {
    let places = vec![Place::Moves(Side::Max, vec![0, 1]), Place::Over(Some(GameResult::Points(2.0)), 0.0)];
    let graph = Graph { places, acyclic: false, paired: false };
    let stop = AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    assert!(solve(&task(&graph, &limits, ROOM), &[0]).is_err());
}
