//! Threshold tests: whether a value reaches a threshold, without finding the value.
//!
//! The test takes a task and a threshold and answers yes, no, or unknown within the limits. At each
//! depth it searches twice with a null window: once with all positions at the horizon lost for Max,
//! and once with all of them won. If Max reaches the threshold although the horizon is lost, the
//! answer is yes. If Max misses it although the horizon is won, the answer is no. No evaluation at
//! the horizon has a part in an answer.

use super::root::{Root, RootMove};
use super::{Engine, EngineOptions, MOST, NodeScore, RankWindow};
use crate::game::{Game, Heuristic, Score, Side, widened_by_endless_play};
use crate::search::engine::table::{Entry, TranspositionTable};
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter};
use crate::search::result::{SearchError, SearchHalt, Searched, Walked};

/// A win later than every win on a line and sooner than the latest rank of a win: it stays a win
/// when plies are added or subtracted.
const FAR_WIN: i64 = MOST - (1 << 31);

/// From this depth on, the next may be several plies deeper, if lines are long and moves few.
const DEEP: u32 = 64;

/// The greatest depth that a table entry can store.
const DEEPEST: u32 = Entry::DEEPEST - 1;

/// Whether the value is `rank` or more; `None` if the limits end the search before an answer.
///
/// Errs as searches do. Also errs if a line repeats a position while nothing bounds the search,
/// unless the game says what a repetition means. An answer is never wrong, even if the search
/// follows repetitions. With the horizon lost, Max reaches the threshold only by forcing an end
/// worth that much. With it won, Min stays below only by forcing an end. Endless play has no part in
/// either.
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

/// The node limit of the first two tests of [`holds_for_all_estimates`], and how many times as large each next one is.
const FIRST_TESTS: u64 = 1 << 10;
const LARGER: u64 = 4;

/// Whether the value of a search to `depth` is `rank` for all values of the positions at the horizon, with the number
/// of nodes; `None` if the limits, or `most` nodes, end the tests before an answer. Errs as searches do.
///
/// Two threshold tests with tables usually answer sooner than a proof search, which gives a line too. They take turns
/// with growing limits, because one of them may fail at once where the other one takes long.
pub(super) fn holds_for_all_estimates<G: Game, H: Heuristic<G>>(
    task: &IterationTask<'_, G, H>,
    (rank, depth): (i64, u32),
    most: u64,
) -> Searched<(Option<bool>, u64), G> {
    debug_assert!(rank.abs() < FAR_WIN, "the horizon has to lie beyond the value");
    let (least, greatest) = match task.game.facts().value_range {
        Some(range) => {
            let (least, greatest) = widened_by_endless_play(task.game, range);
            (Score::number(least).rank(), Score::number(greatest).rank())
        }
        None => (-FAR_WIN, FAR_WIN),
    };
    let tables = [begun_table(), begun_table()];
    let mut open = vec![(&tables[0], least, rank, true), (&tables[1], greatest, rank + 1, false)];
    let (mut limit, mut nodes) = (FIRST_TESTS, 0);
    while !open.is_empty() {
        let mut left = Vec::new();
        for test in open {
            let (table, horizon, threshold, expected) = test;
            let limits = Limits { nodes: Some(limit.min(most - nodes)), ..*task.meter.limits() };
            let meter = Meter::new(&limits);
            let limited = IterationTask { meter: &meter, ..*task };
            let reached = ThresholdSearch::new(&limited, table, horizon).search(task.root, threshold, depth);
            nodes += meter.visited();
            match reached {
                Ok(reply) if (reply.rank >= threshold) == expected => {}
                Ok(_) => return Ok((Some(false), nodes)),
                Err(SearchHalt::Stopped) if nodes < most && !task.meter.is_stopped() => left.push(test),
                Err(SearchHalt::Stopped | SearchHalt::Failed(SearchError::Endless { .. })) => return Ok((None, nodes)),
                Err(SearchHalt::Failed(error)) => return Err(error.rooted()),
            }
        }
        open = left;
        limit *= LARGER;
    }
    Ok((Some(true), nodes))
}

/// A table for one score of the horizon.
fn begun_table() -> TranspositionTable {
    let table = TranspositionTable::small();
    table.begin();
    table
}

/// Searches deeper and deeper, until one of the two searches answers.
fn deepen<G: Game, H: Heuristic<G>>(task: &IterationTask<'_, G, H>, rank: i64) -> Walked<bool, G> {
    let tables = [begun_table(), begun_table()];
    let mut lost = ThresholdSearch::new(task, &tables[0], -FAR_WIN);
    let mut won = ThresholdSearch::new(task, &tables[1], FAR_WIN);
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

/// One of the two searches, with its engine and its root moves.
struct ThresholdSearch<'a, G: Game, H> {
    engine: Engine<'a, G, H>,
    root: Option<(Side, Vec<RootMove<G>>)>,
    /// Whether the horizon is lost for Max.
    is_lost: bool,
}

impl<'a, G: Game, H: Heuristic<G>> ThresholdSearch<'a, G, H> {
    fn new(task: &IterationTask<'a, G, H>, table: &'a TranspositionTable, horizon: i64) -> Self {
        let style = EngineOptions { horizon: Some(horizon), ..EngineOptions::deepening(Some(table), false) };
        let engine = Engine::new(task, style);
        ThresholdSearch { engine, root: None, is_lost: horizon < 0 }
    }

    /// The answer, if this depth gives one.
    fn decide(&mut self, state: &G::State, rank: i64, depth: u32) -> Walked<Option<bool>, G> {
        let reply = self.search(state, rank, depth)?;
        let reached = reply.rank >= rank;
        Ok((reply.resolved || reached == self.is_lost).then_some(reached))
    }

    /// Searches once with a null window.
    fn search(&mut self, state: &G::State, rank: i64, depth: u32) -> Walked<NodeScore, G> {
        if self.root.is_none() {
            match self.engine.look(state, depth)? {
                Root::Leaf(rank, resolved, _) => return Ok(NodeScore { rank, resolved }),
                Root::Open(side, moves) => self.root = Some((side, moves)),
            }
        }
        let (side, moves) = self.root.as_mut().expect("it has just been looked at");
        let window = RankWindow { low: rank - 1, high: rank };
        let reply = self.engine.root_pass(moves, *side, depth, window, &mut None)?;
        self.engine.memory.fade();
        Ok(reply)
    }
}
