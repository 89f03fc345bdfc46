//! Proof: whether following an advice table always reaches its aim.
//!
//! In: a table, and positions to start from. Out: for how many positions every line of play reaches
//! the aim, whatever the other side does; the longest such line; and where it fails, how, and by
//! which line. A forcing tree is followed for as long as the other side plays what it reckons with;
//! then the table is asked anew, as AL0's interpreter does it. What was played before does not count: a
//! position that comes again is no draw by itself, only play that can go on for ever is told.

use super::graph::{AdviceGraph, AdviceNodeKind, exits};
use super::{AdviceError, AdviceTable, Counselled, consult};
use crate::game::{Game, GameResult, Heuristic, Side, ToMove};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::hash::Hash;

pub use super::graph::Workers;

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceAim {
    /// Its side wins.
    Win,
    /// Its side does not lose.
    Draw,
}

/// How following advice may miss its aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdviceFailure {
    /// The game is drawn, or ends level.
    Drawn,
    /// The other side wins.
    Lost,
    /// A position comes again, and again.
    Cycle,
    /// No rule's condition holds.
    NoRule,
    /// None of the advice of the rule that speaks can be forced.
    NoAdvice,
    /// A better-goal holds before a move is made, so the advice would be followed for ever.
    Idle,
    /// A forcing tree is larger than was allowed.
    TooLarge,
}

/// A line of play on which advice misses its aim.
#[derive(Clone, Debug)]
pub struct Counterexample<S, M, A> {
    /// From here.
    pub from: S,
    /// The moves of both sides.
    pub moves: Vec<M>,
    /// Where they lead: the position in which it is seen.
    pub to: S,
    /// How it fails there.
    pub failing: AdviceFailure,
    /// The advice that it fails by, where one has a part in it.
    pub advice: Option<A>,
}

/// What following a table leads to.
#[derive(Clone, Debug)]
pub struct AdviceProof<S, M, A> {
    /// Positions in which the table was asked, and starts in which it was not.
    pub positions: u64,
    /// Those from which every line reaches the aim.
    pub aim: u64,
    /// The greatest number of our moves in a line that reaches it, and from where.
    pub longest: Option<(u32, S)>,
    /// The mean over those positions from which play ends of the longest line, in our moves.
    pub mean: Option<f64>,
    /// In how many positions a rule, by its number, spoke.
    pub by_rule: Vec<(usize, u64)>,
    /// In how many positions a piece of advice was followed, the most used first.
    pub by_advice: Vec<(A, u64)>,
    /// Positions from which some line misses the aim, by how.
    pub failures: Vec<(AdviceFailure, u64)>,
    /// One line for each of those, the first in the order of the positions, as many as were asked for.
    pub counterexamples: Vec<Counterexample<S, M, A>>,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct AdviceClaim {
    /// For whom the advice is.
    pub us: Side,
    /// What it is for.
    pub aim: AdviceAim,
    /// The most positions that one forcing tree may look at.
    pub most: u64,
    /// How many counterexamples are told.
    pub counterexamples: usize,
}

/// Moves of all counterexamples together, after which no more are told.
const MOST_TOLD: usize = 100_000;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Unknown,
    /// Reaches the aim in at most so many moves of ours.
    Reaches(u32),
    /// Some line never ends, which is as good as the aim, and none fails.
    Endless,
    /// Some line fails; the first step on a short one leads here.
    Fails(AdviceFailure, Option<u32>),
}

/// What goes wrong on the way to a proof: the position that was asked about, and how.
pub type Unproved<G, A> = (Option<<G as Game>::State>, AdviceError<<G as Game>::Fault, <G as Game>::Move, A>);

/// What a table comes to.
pub type Proof<G, C> = Result<
    AdviceProof<<G as Game>::State, <G as Game>::Move, <C as AdviceTable<G>>::Advice>,
    Unproved<G, <C as AdviceTable<G>>::Advice>,
>;

type Missed<G, C> = Counterexample<<G as Game>::State, <G as Game>::Move, <C as AdviceTable<G>>::Advice>;

/// Follows the table from every start, of whichever side the turn is. A start in which the game is
/// over reaches the aim, or misses it, at once.
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
            Fate::Reaches(moves) => {
                proved.aim += 1;
                timed += 1;
                total += u64::from(moves);
                if proved.longest.as_ref().is_none_or(|(longest, _)| moves > *longest) {
                    proved.longest = Some((moves, graph.states[at].clone()));
                }
            }
            Fate::Endless => proved.aim += 1,
            Fate::Fails(failing, _) => {
                count(&mut proved.failures, &failing);
                if proved.counterexamples.len() < claim.counterexamples && told < MOST_TOLD {
                    let missed = line(&game, counsel, &graph, &fates, at, claim)?;
                    told += missed.moves.len();
                    proved.counterexamples.push(missed);
                }
            }
            Fate::Unknown => unreachable!("what is left over was called a cycle"),
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

/// Whether a finished game misses the aim, and how.
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

/// What becomes of every position, from the ends of play backwards.
fn fates<G: Game, H: Heuristic<G>, A>(
    game: &G,
    heuristic: &H,
    graph: &AdviceGraph<G::State, A>,
    claim: &AdviceClaim,
) -> Result<Vec<Fate>, G::Fault> {
    let size = graph.nodes.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); size];
    let mut open: Vec<u32> = vec![0; size];
    let mut fates = vec![Fate::Unknown; size];
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
                fates[at] = Fate::Fails(how, None);
                failing.push_back(at);
            }
            None => {
                fates[at] = Fate::Reaches(0);
                settled.push(at);
            }
        }
    }
    // Breadth first, so that the line told is a short one.
    while let Some(at) = failing.pop_front() {
        let Fate::Fails(how, _) = fates[at] else { continue };
        for &from in &before[at] {
            if fates[from as usize] == Fate::Unknown {
                fates[from as usize] = Fate::Fails(how, Some(at as u32));
                failing.push_back(from as usize);
            }
        }
    }
    while let Some(at) = settled.pop() {
        for &from in &before[at] {
            let from = from as usize;
            open[from] -= 1;
            if open[from] == 0 && fates[from] == Fate::Unknown {
                fates[from] = Fate::Reaches(longest(&graph.nodes[from].exits, &fates));
                settled.push(from);
            }
        }
    }
    // From what is left some line never ends, and none fails in another way.
    for at in 0..size {
        if fates[at] == Fate::Unknown && claim.aim == AdviceAim::Draw {
            fates[at] = Fate::Endless;
        } else if fates[at] == Fate::Unknown {
            let next = graph.nodes[at]
                .exits
                .iter()
                .find(|(to, _)| matches!(fates[*to as usize], Fate::Unknown | Fate::Fails(AdviceFailure::Cycle, _)));
            fates[at] = Fate::Fails(AdviceFailure::Cycle, next.map(|(to, _)| *to));
        }
    }
    Ok(fates)
}

/// The most moves of ours to the aim.
fn longest(exits: &[(u32, u32)], fates: &[Fate]) -> u32 {
    let through = |&(to, own): &(u32, u32)| match fates[to as usize] {
        Fate::Reaches(moves) => own + moves,
        Fate::Unknown | Fate::Endless | Fate::Fails(..) => 0,
    };
    exits.iter().map(through).max().unwrap_or(0)
}

/// The line on which a position misses the aim.
fn line<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    graph: &AdviceGraph<G::State, C::Advice>,
    fates: &[Fate],
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
    while let Fate::Fails(_, Some(next)) = fates[at] {
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
    let Fate::Fails(failing, _) = fates[start] else { unreachable!("only what fails has such a line") };
    let advice = match &graph.nodes[at].kind {
        AdviceNodeKind::Unadvised(_, _, advice) => advice.clone(),
        _ => last,
    };
    Ok(Counterexample { from: graph.states[start].clone(), moves, to: graph.states[at].clone(), failing, advice })
}

/// The moves from one position without a tree in hand to a next one.
fn step<G: Game, C: AdviceTable<G>>(
    game: &G,
    counsel: &C,
    from: &G::State,
    to: &G::State,
    claim: &AdviceClaim,
) -> Counselled<Vec<G::Move>, G, C>
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
