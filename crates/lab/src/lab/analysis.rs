//! Analysis: what searching a game costs, and what it would cost at best.
//!
//! In: a game, a heuristic, positions, a depth. Out: the branching factor by ply, positions and
//! leaves under F, F1, F2 and F2 with a table, the smallest tree that proves the values, and how
//! often the first move cuts. Counts of several positions are added up. Must not know where the
//! game comes from.

use super::census::{self, PlyCensus};
use super::trace::{self, TraceCounts, TraceHalt, TracedProcedure};
use alphorn_search::game::{Game, Heuristic};
use alphorn_search::search::result::SearchError;
use std::sync::atomic::AtomicBool;

/// What one procedure took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcedureCost {
    /// Which.
    pub procedure: TracedProcedure,
    /// Its counts, over all positions.
    pub counts: TraceCounts,
}

/// The smallest tree that proves the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MinimalTree {
    /// The fewest positions.
    pub nodes: u64,
    /// The fewest leaves; perhaps of another tree.
    pub leaves: u64,
}

/// What was found about some positions of a game.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// How deep they were searched, in plies.
    pub depth: u32,
    /// How many of them were done.
    pub positions: usize,
    /// What there is at each ply, the positions themselves first.
    pub plies: Vec<PlyCensus>,
    /// What F, F1, F2 and, where positions are worth the same on every way to them, F2 with a table
    /// took.
    pub costs: Vec<ProcedureCost>,
    /// What would have been enough without a table.
    pub minimal: MinimalTree,
    /// The stop flag was set; what was done before it counts.
    pub stopped: bool,
}

/// Analyses the positions `states` of a game to `depth` plies.
///
/// Visits every position to that depth, and those of four searches. Errs with the first fault of the
/// game, and the moves to it from one of the positions, which is told by its number from 0.
#[allow(clippy::type_complexity)] // An alias would hide which position the error is about.
pub fn analyse<G: Game, H: Heuristic<G>>(
    (game, heuristic): (&G, &H),
    states: &[G::State],
    depth: u32,
    stop: &AtomicBool,
) -> Result<Analysis, (usize, SearchError<G::Fault, G::Move>)> {
    let mut procedures = vec![TracedProcedure::F, TracedProcedure::F1, TracedProcedure::F2];
    if game.acyclic() || !game.repetition_is_draw() {
        procedures.push(TracedProcedure::F2WithTable);
    }
    let costs =
        procedures.into_iter().map(|procedure| ProcedureCost { procedure, counts: TraceCounts::default() }).collect();
    let mut analysis = Analysis { depth, costs, ..Analysis::default() };
    for (number, state) in states.iter().enumerate() {
        match one(&mut analysis, (game, heuristic), state, stop) {
            Ok(()) => analysis.positions += 1,
            Err(TraceHalt::Stopped) => {
                analysis.stopped = true;
                break;
            }
            Err(TraceHalt::Failed(error)) => return Err((number, error)),
        }
    }
    Ok(analysis)
}

/// Adds what one position took, if it is done to its end.
fn one<G: Game, H: Heuristic<G>>(
    analysis: &mut Analysis,
    rules: (&G, &H),
    state: &G::State,
    stop: &AtomicBool,
) -> Result<(), TraceHalt<G::Fault, G::Move>> {
    let depth = analysis.depth;
    let mut all = Vec::new();
    for cost in &analysis.costs {
        all.push(trace::run(cost.procedure, rules, state, depth, stop, &mut |_| {})?);
    }
    let value = all.first().and_then(|counts| counts.value).expect("a run that is not halted has a value");
    let census = census::take(rules, state, depth, value, stop)?;
    analysis.costs.iter_mut().zip(all).for_each(|(cost, counts)| cost.counts.add(&counts));
    // A value that was found has a proof, unless the game answers otherwise when asked again.
    analysis.minimal.nodes += census.nodes.unwrap_or_default();
    analysis.minimal.leaves += census.leaves.unwrap_or_default();
    for (ply, here) in census.plies.into_iter().enumerate() {
        if analysis.plies.len() == ply {
            analysis.plies.push(PlyCensus::default());
        }
        let sum = &mut analysis.plies[ply];
        sum.positions += here.positions;
        sum.over += here.over;
        sum.moves += here.moves;
    }
    Ok(())
}

impl TraceCounts {
    /// Adds the counts of another position, which leaves no one value.
    fn add(&mut self, other: &TraceCounts) {
        self.value = None;
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.hits += other.hits;
        self.cutoffs += other.cutoffs;
        self.first_cutoffs += other.first_cutoffs;
    }

    /// The share of the cut-offs that the first move gave; `None` where there was none.
    pub fn first_share(&self) -> Option<f64> {
        (self.cutoffs > 0).then(|| self.first_cutoffs as f64 / self.cutoffs as f64)
    }
}

impl PlyCensus {
    /// Moves for each position that has any; `None` where none has.
    pub fn branching(&self, before_horizon: bool) -> Option<f64> {
        let inner = self.positions - self.over;
        (before_horizon && inner > 0).then(|| self.moves as f64 / inner as f64)
    }
}

impl Analysis {
    /// How many times the positions of the smallest tree a procedure visited.
    pub fn overhead(&self, counts: &TraceCounts) -> Option<f64> {
        (self.minimal.nodes > 0).then(|| counts.nodes as f64 / self.minimal.nodes as f64)
    }
}
