//! Parallel search: every thread searches alone, and the threads share the table.
//!
//! The result is that of the main search. The helpers fill the table, and their nodes are counted.
//! Chess programs call this "Lazy SMP" since 2013. Table entries count only at their own depth, so
//! helpers change no value, only the time to find it.

use super::deepen::help;
use super::table::TranspositionTable;
use super::{EngineOptions, deepen};
use crate::game::{Game, Heuristic};
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter, Post};
use crate::search::result::{SearchResult, Searched};
use crate::search::settings::SearchSettings;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// The default of [`HelperThreads::after`]: a shorter search ends before a helper has its game.
pub const WORTH_HELP: u64 = 1 << 14;

/// The helper threads of a search, and how they get their games.
pub struct HelperThreads<'a, G> {
    /// The number of helpers beside the main thread.
    pub helpers: usize,
    /// The number of nodes after which helpers start: see [`WORTH_HELP`].
    pub after: u64,
    /// Set to end the helpers; their games may read it.
    pub quit: &'a AtomicBool,
    /// Creates the game of one helper, the same as that of the search; `None` if that fails.
    pub game: &'a (dyn Fn() -> Option<G> + Sync),
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
    let post = Post { quit: crew.quit, depth: AtomicU32::new(0), nodes: AtomicU64::new(0) };
    let (root, heuristic, depth, limits) = (task.root, task.heuristic, task.depth, *task.meter.limits());
    let found = std::thread::scope(|scope| {
        let call = || {
            for number in 1..=crew.helpers {
                let (post, timed) = (&post, limits.timed || limits.nodes.is_some());
                scope.spawn(move || {
                    let Some(game) = (crew.game)() else { return };
                    let limits = Limits { depth, timed, longest: limits.longest, ..Limits::default() };
                    let meter = Meter::of_helper(&limits, post);
                    let task = IterationTask { game: &game, heuristic, root, depth, meter: &meter };
                    let style = EngineOptions { number: number as u32, table: Some(table), help: None, ..style };
                    post.nodes.fetch_add(help(&task, style, post), Relaxed);
                });
            }
        };
        let style = EngineOptions { help: Some((&post, crew.after, &call)), ..style };
        let found = deepen(task, style, settings);
        post.quit.store(true, Relaxed);
        found
    });
    found.map(|outcome| SearchResult { nodes: outcome.nodes + post.nodes.load(Relaxed), ..outcome })
}
