//! Tests proofs of random games: they verify, changed proofs do not, and no false claim does.

use super::graph::{Graph, Place, ROOM, Worth, fixpoint, graphs, task};
use alphorn::game::{Score, Side};
use alphorn::search::limits::Limits;
use alphorn::solve::retrograde::solve;
use alphorn::solve::strategy::{DistanceGuide, StrategyAim, strategy};
use alphorn::solve::{distance, pns, winner};
use alphorn::verify::{ProofStep, StrategyClaim, VerifyError, check};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::atomic::AtomicBool;

type Told = Vec<ProofStep<usize>>;

/// The strategy of one side, as lines of a proof.
fn told(graph: &Graph, guide: &impl DistanceGuide<Graph>, side: Side, aim: StrategyAim, root: usize) -> Option<Told> {
    let limits = Limits::default();
    let mut steps = Vec::new();
    let task = task(graph, &limits, ROOM);
    strategy(&task, guide, (side, aim), &root, |step| {
        let line = steps.len() as u64 + 4;
        steps.push(ProofStep { line, rank: step.rank, state: *step.state, next: step.next.copied() });
        Ok::<(), ()>(())
    })
    .ok()?;
    Some(steps)
}

fn claim(aim: StrategyAim) -> StrategyClaim {
    match aim {
        StrategyAim::Win => StrategyClaim::Wins,
        StrategyAim::Number(number) => StrategyClaim::Gets(number),
    }
}

fn stands(graph: &Graph, side: Side, claim: StrategyClaim, steps: &[ProofStep<usize>]) -> bool {
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

/// The strategies that together prove a score.
fn aims(score: Score) -> Vec<(Side, StrategyAim)> {
    match (winner(score), score) {
        (Some(side), _) => vec![(side, StrategyAim::Win)],
        (None, Score::Value(number)) => {
            vec![(Side::Max, StrategyAim::Number(number)), (Side::Min, StrategyAim::Number(number))]
        }
        _ => unreachable!("a score without a winner is a number"),
    }
}

/// The proofs of the value of position 0 verify; changed proofs do not.
pub(super) fn proofs_hold(graph: &Graph, guide: &impl DistanceGuide<Graph>, score: Score, seed: u64) {
    for (side, aim) in aims(score) {
        let steps = told(graph, guide, side, aim, 0).unwrap_or_else(|| panic!("graph {seed}: no proof"));
        assert!(stands(graph, side, claim(aim), &steps), "graph {seed}: {side:?} {aim:?} {steps:?}");
        let least = steps.iter().filter_map(|step| step.rank).min();
        if let (Some(least), true) = (least, aim.must_end(side)) {
            // The number of plies is too small, so there is no time for the last move.
            let mut sooner = steps.clone();
            sooner.iter_mut().for_each(|step| step.rank = step.rank.map(|rank| rank - least));
            assert!(!stands(graph, side, claim(aim), &sooner), "graph {seed}: {least} plies too soon");
        }
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
        proofs_hold(&graph, &proof, truth, seed);
    }
}

/// Makes random proofs that a side can force a number or a win. Proofs that verify must be true. Returns
/// their number.
pub(super) fn random_proofs(graph: &Graph, truth: &[Score], numbers: &[f64], seed: u64) -> u32 {
    let mut stood = 0;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0xABCD);
    for _ in 0..300 {
        let side = if random.random_range(0..2) == 0 { Side::Max } else { Side::Min };
        let claim = match random.random_range(0..2) {
            0 => StrategyClaim::Wins,
            _ => StrategyClaim::Gets(numbers[random.random_range(0..numbers.len())]),
        };
        let mut steps = Vec::new();
        for (state, place) in graph.places.iter().enumerate() {
            let Place::Moves(mover, next) = place else { continue };
            let chosen = next[random.random_range(0..next.len())];
            let rank = Some(random.random_range(0..graph.places.len() as u32));
            if random.random_range(0..6) > 0 {
                steps.push(ProofStep { line: 4, rank, state, next: (*mover == side).then_some(chosen) });
            }
        }
        if stands(graph, side, claim, &steps) {
            stood += 1;
            let worth = truth[0].seen_by(side);
            let is_true = match claim {
                StrategyClaim::Wins => distance(worth).is_some() && worth > Score::Value(0.0),
                StrategyClaim::Gets(number) => worth >= Score::number(number).seen_by(side),
            };
            assert!(is_true, "graph {seed}: {side:?} {claim:?} {steps:?}");
        }
    }
    stood
}

/// Whatever a proof looks like, it verifies only if its claim is true.
#[test]
fn nothing_false_verifies() {
    let stood: u32 = graphs(4, false).map(|(seed, graph)| random_proofs(&graph, &fixpoint(&graph), &[0.0], seed)).sum();
    assert!(stood > 100, "only {stood} random proofs stood");
}
