//! Decide: whether a position is worth at least so much, without finding out what it is worth.
//!
//! In: a task and a threshold. Out: yes, no, or not known within the limits. At each depth the
//! threshold is tried twice with a null window: once with every position at the horizon lost for
//! Max, and once with every such position won. If Max reaches the threshold although the horizon is
//! lost, the answer is yes; if he misses it although the horizon is won, the answer is no. No
//! heuristic is asked at the horizon, so no estimate has a part in an answer.

use super::root::{Root, RootMove};
use super::{Engine, EngineOptions, MOST, Window};
use crate::game::{Game, Heuristic, Side};
use crate::search::engine::table::{Entry, TranspositionTable};
use crate::search::iteration::IterationTask;
use crate::search::result::{SearchError, Searched};
use crate::search::stack::{SearchHalt, Walked};

/// A win later than any that a line of play can lead to, and sooner than the latest there is: it
/// stays a win when plies are added to it or taken from it.
const FAR_WIN: i64 = MOST - (1 << 31);

/// From this depth on the next one may lie several plies deeper, where lines are long and moves few.
const DEEP: u32 = 64;

/// No table can hold a greater depth.
const DEEPEST: u32 = Entry::DEEPEST - 1;

/// Whether the value is `rank` or more; `None` where the limits end the search before that is known.
///
/// Errs as searches do, and where nothing bounds the search and a line of play repeats a position,
/// unless the game says what that means. The answer of a stopped search is never wrong, only missing.
/// Nor is it where repetitions are searched on: with the horizon lost, Max reaches the threshold only
/// if he can force the end of the game at so much, and with it won, Min keeps him below only if she
/// can force the end too; what play without end is worth has no part in either.
pub(in crate::search) fn at_least<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    rank: i64,
) -> Searched<Option<bool>, G> {
    debug_assert!(rank.abs() < FAR_WIN, "the horizon has to lie beyond the threshold");
    match deepen(task, rank) {
        Ok(answer) => Ok(Some(answer)),
        Err(SearchHalt::Stopped | SearchHalt::Failed(SearchError::Endless { .. })) => Ok(None),
        Err(SearchHalt::Failed(error)) => Err(error.rooted()),
    }
}

/// Deeper and deeper, until one of the two tries answers.
fn deepen<G: Game, H: Heuristic<G>>(task: &IterationTask<'_, G, H>, rank: i64) -> Walked<bool, G> {
    // What stands in a table holds for one worth of the horizon.
    let tables = [TranspositionTable::small(), TranspositionTable::small()];
    let mut lost = Try::new(task, &tables[0], -FAR_WIN);
    let mut won = Try::new(task, &tables[1], FAR_WIN);
    let mut depth = 1;
    loop {
        let before = lost.engine.stats.nodes + won.engine.stats.nodes;
        for attempt in [&mut lost, &mut won] {
            if let Some(answer) = attempt.decide(task.root, rank, depth)? {
                return Ok(answer);
            }
        }
        let grown = lost.engine.stats.nodes + won.engine.stats.nodes - before > 8 * u64::from(depth);
        if depth >= DEEPEST {
            return Err(SearchHalt::Stopped);
        }
        let step = if depth < DEEP || grown { 1 } else { depth / 2 };
        depth = depth.saturating_add(step).min(DEEPEST);
    }
}

/// One of the two searches, with what it has learned at the depths before.
struct Try<'a, G: Game, H> {
    engine: Engine<'a, G, H>,
    root: Option<(Side, Vec<RootMove<G>>)>,
    /// Whether the horizon is lost for Max.
    is_lost: bool,
}

impl<'a, G: Game, H: Heuristic<G>> Try<'a, G, H> {
    fn new(task: &IterationTask<'a, G, H>, table: &'a TranspositionTable, horizon: i64) -> Self {
        table.begin();
        let style = EngineOptions { horizon: Some(horizon), ..EngineOptions::deepening(Some(table), false) };
        let engine = Engine::new(task, style);
        Try { engine, root: None, is_lost: horizon < 0 }
    }

    /// The answer, if this depth gives one.
    fn decide(&mut self, state: &G::State, rank: i64, depth: u32) -> Walked<Option<bool>, G> {
        if self.root.is_none() {
            match self.engine.look(state, depth)? {
                Root::Leaf(value, ..) => return Ok(Some(value >= rank)),
                Root::Open(side, moves) => self.root = Some((side, moves)),
            }
        }
        let (side, moves) = self.root.as_mut().expect("it has just been looked at");
        let window = Window { low: rank - 1, high: rank };
        let reply = self.engine.root_pass(moves, *side, depth, window, &mut None)?;
        self.engine.memory.fade();
        let reached = reply.rank >= rank;
        Ok((reply.resolved || reached == self.is_lost).then_some(reached))
    }
}
