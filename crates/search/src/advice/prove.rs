//! Proofs of advice: whether following an advice table always reaches its aim.
//!
//! A proof takes a table and first positions. It counts the positions from which every line reaches
//! the aim, and gives the longest such line, the failures and counterexamples. A forcing tree is
//! followed while the other side makes replies that it considers; then the table is consulted again,
//! as AL0's interpreter does. The history of play does not count: a repetition is no draw by itself,
//! and only endless play is reported.

use super::failure::{AdviceFailure, Unproved};
use super::graph::{AdviceGraph, AdviceNodeKind, exits};
use super::{AdviceError, AdviceResult, AdviceTable, consult};
use crate::game::{Game, GameResult, Heuristic, Side, ToMove};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::hash::Hash;

pub use super::graph::Workers;

/// The aim of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceAim {
    /// The advised side wins.
    Win,
    /// The advised side does not lose.
    Draw,
}

/// A line on which advice fails.
#[derive(Clone, Debug)]
pub struct Counterexample<S, M, A> {
    /// The first position.
    pub from: S,
    /// The moves of both sides.
    pub moves: Vec<M>,
    /// The last position, which shows the failure.
    pub to: S,
    /// How the advice fails there.
    pub failing: AdviceFailure,
    /// The advice that fails, if the failure depends on one.
    pub advice: Option<A>,
}

/// The result of a proof of advice.
#[derive(Clone, Debug)]
pub struct AdviceProof<S, M, A> {
    /// Positions in which the table was consulted, and other first positions.
    pub positions: u64,
    /// Positions from which every line reaches the aim.
    pub aim: u64,
    /// The greatest number of our moves on a line to the aim, and its first position.
    pub longest: Option<(u32, S)>,
    /// The mean number of our moves on the longest lines, over the positions whose lines all end.
    pub mean: Option<f64>,
    /// For each rule, by its number, the positions in which the rule fires.
    pub by_rule: Vec<(usize, u64)>,
    /// For each piece of advice, the positions in which it is followed, the most used first.
    pub by_advice: Vec<(A, u64)>,
    /// For each kind of failure, the positions from which some line fails.
    pub failures: Vec<(AdviceFailure, u64)>,
    /// A counterexample for each failing position in order, at most the requested number.
    pub counterexamples: Vec<Counterexample<S, M, A>>,
}

/// The claim to prove.
#[derive(Clone, Copy, Debug)]
pub struct AdviceClaim {
    /// The advised side.
    pub us: Side,
    /// The aim.
    pub aim: AdviceAim,
    /// The greatest number of positions that one forcing tree may visit.
    pub most: u64,
    /// The greatest number of counterexamples to report.
    pub counterexamples: usize,
}

/// After so many moves in all counterexamples together, no more are reported.
const MOST_TOLD: usize = 100_000;

/// The proof status of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AimStatus {
    Unknown,
    /// Every line reaches the aim, in at most so many of our moves.
    Reaches(u32),
    /// No line fails, and some line never ends, which meets the aim of a draw.
    Endless,
    /// Some line fails; a short failing line begins with a step to this position.
    Fails(AdviceFailure, Option<u32>),
}

/// A proof of advice, or an error.
pub type Proof<G, C> = Result<
    AdviceProof<<G as Game>::State, <G as Game>::Move, <C as AdviceTable<G>>::Advice>,
    Unproved<G, <C as AdviceTable<G>>::Advice>,
>;

type Missed<G, C> = Counterexample<<G as Game>::State, <G as Game>::Move, <C as AdviceTable<G>>::Advice>;

/// Follows the table from every first position, with any player to move. If the game is already over
/// there, that result counts.
pub fn prove<G, H, C>(
    workers: &Workers<'_, G, G::Fault>,
    heuristic: &H,
    counsel: &C,
    starts: Vec<G::State>,
    claim: &AdviceClaim,
) -> Proof<G, C>
where
    G: Game,
    G::State: Send + Sync,
    G::Move: PartialEq + Send,
    G::Fault: Send,
    H: Heuristic<G>,
    C: AdviceTable<G> + Sync,
    C::Advice: Send,
{
    let graph: AdviceGraph<G::State, C::Advice> = AdviceGraph::explore(workers, counsel, claim.us, starts, claim.most)?;
    let wrong = |fault| (None, AdviceError::Fault { fault, line: Vec::new() });
    let game = (workers.game)().map_err(wrong)?;
    let fates = fates(&game, heuristic, &graph, claim).map_err(wrong)?;
    summarize(&game, counsel, &graph, &fates, claim)
}

/// Counts the positions of a graph by their status, and collects the counterexamples.
fn summarize<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    graph: &AdviceGraph<G::State, C::Advice>,
    fates: &[AimStatus],
    claim: &AdviceClaim,
) -> Proof<G, C>
where
    G::Move: PartialEq,
{
    let mut proved = AdviceProof {
        positions: 0,
        aim: 0,
        longest: None,
        mean: None,
        by_rule: Vec::new(),
        by_advice: Vec::new(),
        failures: Vec::new(),
        counterexamples: Vec::new(),
    };
    let (mut total, mut timed, mut told) = (0u64, 0u64, 0);
    for (at, node) in graph.nodes.iter().enumerate() {
        let (rule, advice) = match &node.kind {
            AdviceNodeKind::Over | AdviceNodeKind::Theirs if at >= graph.starts => continue,
            AdviceNodeKind::Over | AdviceNodeKind::Theirs => (None, None),
            AdviceNodeKind::Advised(rule, advice) => (Some(*rule), Some(advice)),
            AdviceNodeKind::Unadvised(_, rule, _) => (*rule, None),
        };
        proved.positions += 1;
        rule.into_iter().for_each(|rule| count(&mut proved.by_rule, &rule));
        advice.into_iter().for_each(|advice| count(&mut proved.by_advice, advice));
        match fates[at] {
            AimStatus::Reaches(moves) => {
                proved.aim += 1;
                timed += 1;
                total += u64::from(moves);
                if proved.longest.as_ref().is_none_or(|(longest, _)| moves > *longest) {
                    proved.longest = Some((moves, graph.states[at].clone()));
                }
            }
            AimStatus::Endless => proved.aim += 1,
            AimStatus::Fails(failing, _) => {
                count(&mut proved.failures, &failing);
                if proved.counterexamples.len() < claim.counterexamples && told < MOST_TOLD {
                    let missed = line(game, counsel, graph, fates, at, claim)?;
                    told += missed.moves.len();
                    proved.counterexamples.push(missed);
                }
            }
            AimStatus::Unknown => unreachable!("what is left over was called a cycle"),
        }
    }
    proved.mean = (timed > 0).then(|| total as f64 / timed as f64);
    proved.by_rule.sort_unstable();
    proved.by_advice.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    proved.failures.sort_unstable();
    Ok(proved)
}

fn count<T: PartialEq + Clone>(counts: &mut Vec<(T, u64)>, what: &T) {
    match counts.iter_mut().find(|(known, _)| known == what) {
        Some((_, count)) => *count += 1,
        None => counts.push((what.clone(), 1)),
    }
}

/// How a finished game misses the aim; `None` if it meets the aim.
fn missed<G: Game, H: Heuristic<G>>(
    game: &G,
    heuristic: &H,
    state: &G::State,
    claim: &AdviceClaim,
) -> Result<Option<AdviceFailure>, G::Fault> {
    let winner = match game.result(state)? {
        Some(GameResult::Won(side)) => Some(side),
        Some(GameResult::Draw) => None,
        Some(GameResult::Points(points)) => ahead(points),
        None => ahead(heuristic.evaluate(game, state)?),
    };
    Ok(match winner {
        Some(side) if side == claim.us => None,
        Some(_) => Some(AdviceFailure::Lost),
        None => (claim.aim == AdviceAim::Win).then_some(AdviceFailure::Drawn),
    })
}

fn ahead(points: f64) -> Option<Side> {
    match points {
        points if points > 0.0 => Some(Side::Max),
        points if points < 0.0 => Some(Side::Min),
        _ => None,
    }
}

/// Determines the status of every position, backwards from the ends of play.
fn fates<G: Game, H: Heuristic<G>, A>(
    game: &G,
    heuristic: &H,
    graph: &AdviceGraph<G::State, A>,
    claim: &AdviceClaim,
) -> Result<Vec<AimStatus>, G::Fault> {
    let size = graph.nodes.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); size];
    let mut open: Vec<u32> = vec![0; size];
    let mut fates = vec![AimStatus::Unknown; size];
    let (mut failing, mut settled) = (VecDeque::new(), Vec::new());
    for (at, node) in graph.nodes.iter().enumerate() {
        open[at] = node.exits.len() as u32;
        node.exits.iter().for_each(|(to, _)| before[*to as usize].push(at as u32));
        let fails = match &node.kind {
            AdviceNodeKind::Over => missed(game, heuristic, &graph.states[at], claim)?,
            AdviceNodeKind::Unadvised(failing, ..) => Some(*failing),
            AdviceNodeKind::Theirs | AdviceNodeKind::Advised(..) => continue,
        };
        match fails {
            Some(how) => {
                fates[at] = AimStatus::Fails(how, None);
                failing.push_back(at);
            }
            None => {
                fates[at] = AimStatus::Reaches(0);
                settled.push(at);
            }
        }
    }
    // Breadth first, so that the reported line is short.
    while let Some(at) = failing.pop_front() {
        let AimStatus::Fails(how, _) = fates[at] else { continue };
        for &from in &before[at] {
            if fates[from as usize] == AimStatus::Unknown {
                fates[from as usize] = AimStatus::Fails(how, Some(at as u32));
                failing.push_back(from as usize);
            }
        }
    }
    while let Some(at) = settled.pop() {
        for &from in &before[at] {
            let from = from as usize;
            open[from] -= 1;
            if open[from] == 0 && fates[from] == AimStatus::Unknown {
                fates[from] = AimStatus::Reaches(longest(&graph.nodes[from].exits, &fates));
                settled.push(from);
            }
        }
    }
    settle_endless(graph, claim, &mut fates);
    Ok(fates)
}

/// Determines the status of the remaining positions. From each of them some line never ends, and none
/// fails in another way.
fn settle_endless<S, A>(graph: &AdviceGraph<S, A>, claim: &AdviceClaim, fates: &mut [AimStatus]) {
    for at in 0..fates.len() {
        if fates[at] == AimStatus::Unknown && claim.aim == AdviceAim::Draw {
            fates[at] = AimStatus::Endless;
        } else if fates[at] == AimStatus::Unknown {
            let next = graph.nodes[at].exits.iter().find(|(to, _)| {
                matches!(fates[*to as usize], AimStatus::Unknown | AimStatus::Fails(AdviceFailure::Cycle, _))
            });
            fates[at] = AimStatus::Fails(AdviceFailure::Cycle, next.map(|(to, _)| *to));
        }
    }
}

/// The greatest number of our moves to the aim.
fn longest(exits: &[(u32, u32)], fates: &[AimStatus]) -> u32 {
    let through = |&(to, own): &(u32, u32)| match fates[to as usize] {
        AimStatus::Reaches(moves) => own + moves,
        AimStatus::Unknown | AimStatus::Endless | AimStatus::Fails(..) => 0,
    };
    exits.iter().map(through).max().unwrap_or(0)
}

/// The line on which play from a position fails.
fn line<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    graph: &AdviceGraph<G::State, C::Advice>,
    fates: &[AimStatus],
    start: usize,
    claim: &AdviceClaim,
) -> Result<Missed<G, C>, Unproved<G, C::Advice>>
where
    G::State: Clone + Eq + Hash,
    G::Move: PartialEq,
{
    let mut moves = Vec::new();
    let mut at = start;
    let mut seen = FxHashSet::from_iter([start]);
    let mut last = None;
    while let AimStatus::Fails(_, Some(next)) = fates[at] {
        let (from, to) = (&graph.states[at], &graph.states[next as usize]);
        let step = step(game, counsel, from, to, claim);
        moves.extend(step.map_err(|trouble| (Some(from.clone()), trouble))?);
        if let AdviceNodeKind::Advised(_, advice) = &graph.nodes[at].kind {
            last = Some(advice.clone());
        }
        at = next as usize;
        if !seen.insert(at) {
            break;
        }
    }
    let AimStatus::Fails(failing, _) = fates[start] else { unreachable!("only what fails has such a line") };
    let advice = match &graph.nodes[at].kind {
        AdviceNodeKind::Unadvised(_, _, advice) => advice.clone(),
        _ => last,
    };
    Ok(Counterexample { from: graph.states[start].clone(), moves, to: graph.states[at].clone(), failing, advice })
}

/// The moves from one position of the graph to the next.
fn step<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    from: &G::State,
    to: &G::State,
    claim: &AdviceClaim,
) -> AdviceResult<Vec<G::Move>, G, C>
where
    G::Move: PartialEq,
{
    let fault = |fault| AdviceError::Fault { fault, line: Vec::new() };
    let turn = game.to_move(from).map_err(fault)?;
    if turn != (if claim.us == Side::Max { ToMove::Max } else { ToMove::Min }) {
        let mut moves = Vec::new();
        game.moves(from, &mut moves).map_err(fault)?;
        for mv in moves {
            if game.apply(from, &mv).map_err(fault)? == *to {
                return Ok(vec![mv]);
            }
        }
        return Ok(Vec::new());
    }
    let said = consult(game, counsel, from, claim.us, claim.most)?;
    let mut found = Vec::new();
    if let Some((_, tree)) = said.chosen {
        let mut see = |line: &[G::Move], _: u32, state: G::State| {
            if found.is_empty() && state == *to {
                found = line.to_vec();
            }
        };
        exits(game, from, &tree, &mut see).map_err(|(fault, line)| AdviceError::Fault { fault, line })?;
    }
    Ok(found)
}
