//! Analyses a game: the cost of its searches, and the least possible cost.
//!
//! It takes a game, a heuristic, positions and a depth. It returns the branching factor by ply, and the
//! positions and leaves under F, F1, F2 and F2 with a table. It also returns the smallest tree that
//! proves the values, and the share of cutoffs by the first move. Counts of positions are added.

use super::census::{self, PlyCensus};
use super::trace::{self, TraceCounts, TraceHalt, TracedProcedure};
use alphorn_search::game::{Game, Heuristic};
use alphorn_search::search::result::SearchError;
use std::sync::atomic::AtomicBool;

/// The cost of one procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcedureCost {
    /// The procedure.
    pub procedure: TracedProcedure,
    /// The counts, added over all positions.
    pub counts: TraceCounts,
}

/// The size of the smallest tree that proves the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MinimalTree {
    /// The fewest positions.
    pub nodes: u64,
    /// The fewest leaves, perhaps of another tree.
    pub leaves: u64,
}

/// The analysis of positions of a game.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The depth in plies.
    pub depth: u32,
    /// The number of finished positions.
    pub positions: usize,
    /// The counts of each ply, from the analysed positions down.
    pub plies: Vec<PlyCensus>,
    /// The costs of F, F1 and F2, and of F2 with a table if values do not depend on the line.
    pub costs: Vec<ProcedureCost>,
    /// The smallest proof without a table.
    pub minimal: MinimalTree,
    /// Whether the stop flag was set. Finished positions count.
    pub stopped: bool,
}

/// Analyses positions of a game to `depth` plies.
///
/// Visits every position to that depth, and those of four searches. Errs with the first fault of the
/// game, the moves to it, and the index of the analysed position.
#[allow(clippy::type_complexity)] // An alias would hide which position the error is about.
pub fn analyse<G: Game, H: Heuristic<G>>(
    (game, heuristic): (&G, &H),
    states: &[G::State],
    depth: u32,
    stop: &AtomicBool,
) -> Result<Analysis, (usize, SearchError<G::Fault, G::Move>)> {
    let mut procedures = vec![TracedProcedure::F, TracedProcedure::F1, TracedProcedure::F2];
    if !game.facts().draws_repetitions() {
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

/// Adds the counts of one position, if it is finished.
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
    // The value has a proof, unless the game gives different answers the second time.
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
    /// Adds the counts of another position. The sum has no value.
    fn add(&mut self, other: &TraceCounts) {
        self.value = None;
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.hits += other.hits;
        self.cutoffs += other.cutoffs;
        self.first_cutoffs += other.first_cutoffs;
    }

    /// The share of cutoffs by the first move; `None` without cutoffs.
    pub fn first_share(&self) -> Option<f64> {
        (self.cutoffs > 0).then(|| self.first_cutoffs as f64 / self.cutoffs as f64)
    }
}

impl PlyCensus {
    /// The mean number of moves of positions with moves; `None` if there are none.
    pub fn branching(&self, before_horizon: bool) -> Option<f64> {
        let inner = self.positions - self.over;
        (before_horizon && inner > 0).then(|| self.moves as f64 / inner as f64)
    }
}

impl Analysis {
    /// The visited positions of a procedure relative to the smallest tree.
    pub fn overhead(&self, counts: &TraceCounts) -> Option<f64> {
        (self.minimal.nodes > 0).then(|| counts.nodes as f64 / self.minimal.nodes as f64)
    }
}
