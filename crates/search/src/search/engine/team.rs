//! What the threads of one search share beside the table: the pass over the root moves and its result, the moves that
//! are searched now, and the history of moves.

use super::RankWindow;
use super::busy::BusyMoves;
use super::order::HistoryCounts;
use crate::search::limits::Post;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time between two looks at the flag that ends the helpers.
const TICK: Duration = Duration::from_millis(20);

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
    pub(super) post: Post<'a>,
    pass: Mutex<RootPass>,
    begun: Condvar,
    /// The number of the last pass that a helper finished.
    finished: AtomicU64,
    pub(super) busy: BusyMoves,
    pub(super) history: Arc<HistoryCounts>,
    /// Nodes of the helpers.
    pub(super) nodes: AtomicU64,
    /// Evaluations of the helpers.
    pub(super) evals: AtomicU64,
}

impl<'a> Team<'a> {
    pub(super) fn new(quit: &'a AtomicBool) -> Team<'a> {
        let post = Post { quit, pass: AtomicU64::new(0) };
        let (pass, begun) = (Mutex::default(), Condvar::new());
        let [finished, nodes, evals] = [(); 3].map(|()| AtomicU64::new(0));
        Team {
            post,
            pass,
            begun,
            finished,
            busy: BusyMoves::new(),
            history: Arc::new(HistoryCounts::new()),
            nodes,
            evals,
        }
    }

    fn lock(&self) -> MutexGuard<'_, RootPass> {
        self.pass.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a pass of the main search and gives its number. Helpers leave the pass before.
    pub(super) fn begin(&self, pass: RootPass) -> u64 {
        // The number changes under the lock, so that no helper misses it or takes the pass with the number before.
        let mut current = self.lock();
        *current = pass;
        let number = self.post.pass.fetch_add(1, Relaxed) + 1;
        self.begun.notify_all();
        number
    }

    /// Tells that a helper has finished the pass with this number, and its result can be taken.
    pub(super) fn finish(&self, number: u64) {
        self.finished.fetch_max(number, Relaxed);
    }

    /// Whether a helper has finished the current pass, so that all other work for it is obsolete.
    #[inline]
    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Relaxed) == self.post.pass.load(Relaxed)
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

    /// Ends the helpers.
    pub(super) fn end(&self) {
        let _current = self.lock();
        self.post.quit.store(true, Relaxed);
        self.begun.notify_all();
    }
}

/// The result of the last pass that a helper finished, with its number.
pub(super) struct FinishedPass<T>(Mutex<Option<(u64, T)>>);

impl<T> FinishedPass<T> {
    pub(super) fn none() -> FinishedPass<T> {
        FinishedPass(Mutex::new(None))
    }

    fn lock(&self) -> MutexGuard<'_, Option<(u64, T)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the result of a pass, unless that of this pass or a later one is there.
    pub(super) fn put(&self, number: u64, result: T) {
        let mut last = self.lock();
        if last.as_ref().is_none_or(|(of, _)| *of < number) {
            *last = Some((number, result));
        }
    }

    /// Takes the result of a pass, if a helper has finished it.
    pub(super) fn take(&self, number: u64) -> Option<T> {
        self.lock().take_if(|(of, _)| *of == number).map(|(_, result)| result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_result_of_the_current_pass_ends_it() {
        let quit = AtomicBool::new(false);
        let team = Team::new(&quit);
        let results = FinishedPass::none();
        let first = team.begin(RootPass::default());
        assert!(!team.is_finished() && results.take(first).is_none());
        results.put(first, "first");
        team.finish(first);
        assert!(team.is_finished());
        let second = team.begin(RootPass::default());
        assert!(!team.is_finished() && results.take(second).is_none(), "the pass before does not count");
        results.put(second, "second");
        team.finish(second);
        team.finish(first);
        results.put(first, "late");
        assert!(team.is_finished());
        assert_eq!((results.take(second), results.take(second)), (Some("second"), None));
    }
}
