//! Several threads at one search: each searches by itself, and they meet in the table.
//!
//! In: a task, a table, a way to come by further copies of the game. Out: the outcome of the one
//! that was asked; the others fill the table for it, and their positions are counted. "Lazy SMP",
//! as chess programs call it since 2013. What the table holds counts only at its own depth, so
//! helpers change no value, only how soon it is found.

use super::deepen::help;
use super::table::TranspositionTable;
use super::{EngineOptions, deepen};
use crate::game::{Game, Heuristic};
use crate::search::Settings;
use crate::search::iteration::IterationTask;
use crate::search::limits::{Limits, Meter};
use crate::search::result::{SearchResult, Searched};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Where helpers see what is wanted of them.
pub(in crate::search) struct Post<'a> {
    /// Ends them; games of their own may look at it too.
    pub(in crate::search) quit: &'a AtomicBool,
    /// The depth that is being searched.
    pub(in crate::search) depth: AtomicU32,
    /// Positions that helpers have visited.
    nodes: AtomicU64,
}

impl Post<'_> {
    /// Whether work at a depth is of no use any more.
    pub(in crate::search) fn wants_other_than(&self, depth: u32) -> bool {
        self.quit.load(Relaxed) || self.depth.load(Relaxed) > depth
    }
}

/// Shorter searches are over before a helper has its game.
pub const WORTH_HELP: u64 = 1 << 14;

/// Who helps: how many, what ends them, and where a thread gets its game from.
pub struct HelperThreads<'a, G> {
    /// Helpers beside the thread that asks.
    pub helpers: usize,
    /// Positions from which on a search is worth their help: see [`WORTH_HELP`].
    pub after: u64,
    /// Set when they are to end; games may look at it.
    pub quit: &'a AtomicBool,
    /// A game for one thread, the same as the one that is searched; `None` where there is none.
    pub game: &'a (dyn Fn() -> Option<G> + Sync),
}

/// Deepens with the help of a crew, once a search is long enough to be worth it.
pub(in crate::search) fn together<G, H>(
    task: &IterationTask<'_, G, H>,
    style: EngineOptions<'_>,
    settings: &Settings<'_, G::Move>,
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
