//! Parallel search: the threads search the same positions to the same depth, and divide the moves.
//!
//! Each pass of the main search over its root moves is one for its helpers too, with the same window and order.
//! The threads share the table, and a thread leaves a move for later while another thread searches it: ABDADA
//! (Jean-Christophe Weill, 1996) without its counts in the table, as simplified by Tom Kerrigan. The result is that of
//! the main search. Table entries count only at their own depth, so helpers change no value, only the time to
//! find it.

use super::busy::BusyMoves;
use super::deepen::help;
use super::table::TranspositionTable;
use super::{EngineOptions, RankWindow, deepen};
use crate::game::{Game, Heuristic};
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter, Post};
use crate::search::result::{SearchResult, Searched};
use crate::search::settings::SearchSettings;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The default of [`HelperThreads::after`]: a shorter search ends before a helper has its game.
pub const WORTH_HELP: u64 = 1 << 12;

/// The time after which helpers start even if there are few nodes: each node then takes long.
const WORTH_TIME: Duration = Duration::from_millis(30);

/// The time between two looks at the flag that ends the helpers.
const TICK: Duration = Duration::from_millis(20);

/// The helper threads of a search, and how they get their games.
pub struct HelperThreads<'a, G> {
    /// The number of helpers beside the main thread.
    pub helpers: usize,
    /// The number of nodes after which helpers start: see [`WORTH_HELP`]. They also start after 30 ms.
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

/// One pass over root moves.
#[derive(Clone, Default)]
pub(super) struct RootPass {
    pub(super) depth: u32,
    pub(super) window: RankWindow,
    /// The moves to search, by their numbers.
    pub(super) order: Vec<u32>,
}

/// What the threads of one search share beside the table.
pub(super) struct Team<'a> {
    post: Post<'a>,
    pass: Mutex<RootPass>,
    begun: Condvar,
    pub(super) busy: BusyMoves,
    /// Nodes of the helpers.
    nodes: AtomicU64,
}

impl<'a> Team<'a> {
    fn new(quit: &'a AtomicBool) -> Team<'a> {
        let post = Post { quit, pass: AtomicU64::new(0) };
        let (pass, begun) = (Mutex::default(), Condvar::new());
        Team { post, pass, begun, busy: BusyMoves::new(), nodes: AtomicU64::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, RootPass> {
        self.pass.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a pass of the main search. Helpers leave the pass before.
    pub(super) fn begin(&self, pass: RootPass) {
        *self.lock() = pass;
        self.post.pass.fetch_add(1, Relaxed);
        self.begun.notify_all();
    }

    /// Waits for a pass with another number than the last one; `None` at the end.
    pub(super) fn next(&self, last: u64) -> Option<(u64, RootPass)> {
        let mut pass = self.lock();
        while !self.post.quit.load(Relaxed) {
            let number = self.post.pass.load(Relaxed);
            if number != last {
                return Some((number, pass.clone()));
            }
            pass =
                self.begun.wait_timeout(pass, TICK).map_or_else(|poisoned| poisoned.into_inner().0, |(pass, _)| pass);
        }
        None
    }

    fn end(&self) {
        self.post.quit.store(true, Relaxed);
        self.begun.notify_all();
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
    H: Heuristic<G> + Sync,
{
    let team = Team::new(crew.quit);
    let (root, heuristic, depth, limits) = (task.root, task.heuristic, task.depth, *task.meter.limits());
    let style = EngineOptions { table: Some(table), team: Some(&team), ..style };
    let found = std::thread::scope(|scope| {
        let (begun, called) = (Instant::now(), Cell::new(false));
        let call = |nodes| {
            if !crew.is_time(nodes, begun) || called.replace(true) {
                return;
            }
            for _ in 0..crew.helpers {
                let (team, timed) = (&team, limits.timed || limits.nodes.is_some());
                let reduces = style.heuristic;
                scope.spawn(move || {
                    let style = EngineOptions { team: Some(team), ..EngineOptions::deepening(Some(table), reduces) };
                    let Some(game) = (crew.game)() else { return };
                    let limits = Limits { depth, timed, longest: limits.longest, ..Limits::default() };
                    let meter = Meter::of_helper(&limits, &team.post);
                    let task = IterationTask { game: &game, heuristic, root, depth, meter: &meter };
                    team.nodes.fetch_add(help(&task, style, team), Relaxed);
                });
            }
        };
        let found = deepen(task, EngineOptions { help: Some(&call), ..style }, settings);
        team.end();
        found
    });
    found.map(|outcome| SearchResult { nodes: outcome.nodes + team.nodes.load(Relaxed), ..outcome })
}
