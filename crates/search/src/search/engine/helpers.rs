//! Parallel search: the threads search the same positions to the same depth, and divide the moves.
//!
//! Each pass of the main search over its root moves is one for its helpers too, with the same window and order.
//! The threads share the table, and a thread leaves a move for later while another thread searches it: ABDADA
//! (Jean-Christophe Weill, 1996) without its counts in the table, as simplified by Tom Kerrigan. The main search takes
//! the result of a pass from the thread that finishes it first. Table entries count only at their own depth, so helpers
//! change no value, only the time to find it and the choice among equal moves.

use super::EngineOptions;
use super::deepen::{help, lead};
use super::table::TranspositionTable;
use super::team::{FinishedPass, Team};
use crate::game::{Game, Heuristic};
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter};
use crate::search::result::{SearchResult, Searched};
use crate::search::settings::SearchSettings;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The default of [`HelperThreads::after`]: a shorter search ends before a helper has its game.
pub const WORTH_HELP: u64 = 1 << 14;

/// The time after which helpers start even if there are few nodes: each node then takes long.
const WORTH_TIME: Duration = Duration::from_millis(100);

/// The helper threads of a search, and how they get their games.
pub struct HelperThreads<'a, G> {
    /// The number of helpers beside the main thread.
    pub helpers: usize,
    /// The number of nodes after which helpers start: see [`WORTH_HELP`]. They also start after 0.1 s.
    pub after: u64,
    /// Set to end the helpers; their games may read it.
    pub quit: &'a AtomicBool,
    /// Creates the game of one helper, the same as that of the search; `None` if that fails.
    pub game: &'a (dyn Fn() -> Option<G> + Sync),
}

impl<G> HelperThreads<'_, G> {
    /// Whether helpers should start in a search that began then and has visited so many nodes.
    pub(in crate::search) fn is_time(&self, nodes: u64, begun: Instant) -> bool {
        nodes >= self.after || begun.elapsed() >= WORTH_TIME
    }
}

/// Ends the helpers when the main search ends, also by a panic.
struct EndOfHelpers<'a>(&'a Team<'a>);

impl Drop for EndOfHelpers<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Runs iterative deepening with helpers, which start once the search is long enough.
pub(in crate::search) fn together<G, H>(
    task: &IterationTask<'_, G, H>,
    style: EngineOptions<'_>,
    settings: &SearchSettings<'_, G::Move>,
    table: &TranspositionTable,
    crew: &HelperThreads<'_, G>,
) -> Searched<SearchResult<G::Move>, G>
where
    G: Game,
    G::State: Send + Sync,
    G::Move: Send,
    H: Heuristic<G> + Sync,
{
    let (team, finished) = (Team::new(crew.quit), FinishedPass::none());
    let (root, heuristic, depth, limits) = (task.root, task.heuristic, task.depth, *task.meter.limits());
    let style = EngineOptions { table: Some(table), team: Some(&team), ..style };
    let found = std::thread::scope(|scope| {
        let (begun, called) = (Instant::now(), Cell::new(false));
        let call = |nodes| {
            if called.get() || !crew.is_time(nodes, begun) || called.replace(true) {
                return;
            }
            for _ in 0..crew.helpers {
                let (team, finished, timed) = (&team, &finished, limits.timed || limits.nodes.is_some());
                let reduces = style.heuristic;
                scope.spawn(move || {
                    let style = EngineOptions { team: Some(team), ..EngineOptions::deepening(Some(table), reduces) };
                    let Some(game) = (crew.game)() else { return };
                    let limits = Limits { depth, timed, longest: limits.longest, ..Limits::default() };
                    let meter = Meter::of_helper(&limits, &team.post);
                    let task = IterationTask { game: &game, heuristic, root, depth, meter: &meter };
                    help(&task, style, team, finished);
                });
            }
        };
        let _end = EndOfHelpers(&team);
        lead(task, EngineOptions { help: Some(&call), ..style }, settings, Some(&finished))
    });
    let (nodes, evals) = (team.nodes.load(Relaxed), team.evals.load(Relaxed));
    found.map(|outcome| SearchResult { nodes: outcome.nodes + nodes, evals: outcome.evals + evals, ..outcome })
}
