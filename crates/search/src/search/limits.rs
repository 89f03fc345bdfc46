//! Limits of a search: depth, number of positions and stop flag, with a progress hook.
//!
//! The searches receive a `Meter`, which counts every position and says when to stop. There is no
//! clock: a caller with a limit in seconds sets the stop flag when the time is over. Another thread
//! or a signal may set the flag.

use super::result::{SearchError, SearchHalt};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Positions between two calls of the progress hook. Each of the first so many positions is
/// reported, because some games take seconds for one.
pub const PROGRESS_INTERVAL: u64 = 256;

/// When a search stops early. The default limits never stop a search.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// The depth in plies, at which the heuristic evaluates. `None`: to the end of the game; a
    /// repetition is then an error unless the rules allow it.
    pub depth: Option<u32>,
    /// The greatest number of positions to visit, including those of proof searches. Unlike a clock,
    /// this limit stops at the same position on every machine.
    pub nodes: Option<u64>,
    /// Whether the caller will set the stop flag in any case. Without a depth or a node limit, only
    /// then does a search continue where play might never end.
    pub timed: bool,
    /// The longest line to follow, in plies: a game may have endless lines.
    pub longest: Option<u32>,
    /// Stops the search soon after it becomes true; read before every position.
    pub stop: Option<&'a AtomicBool>,
    /// Called with the number of positions so far: after each of the first positions, then once
    /// every [`PROGRESS_INTERVAL`].
    pub progress: Option<&'a dyn Fn(u64)>,
}

impl<'a> Limits<'a> {
    /// Limits with only a depth in plies.
    pub fn to_depth(depth: u32) -> Limits<'a> {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether the limits end a search that has no depth.
    pub(super) fn is_bounded(&self) -> bool {
        self.timed || self.nodes.is_some()
    }
}

/// The state that the main search shares with its helpers.
pub(super) struct Post<'a> {
    /// Ends the helpers; the games of the helpers may read it too.
    pub(super) quit: &'a AtomicBool,
    /// The number of the pass of the main search over its root moves.
    pub(super) pass: AtomicU64,
}

impl Post<'_> {
    /// Whether work for this pass is obsolete.
    fn wants_other_than(&self, pass: u64) -> bool {
        self.quit.load(Ordering::Relaxed) || self.pass.load(Ordering::Relaxed) != pass
    }
}

/// Counts the positions of one search, in all its iterations, and checks its limits.
pub(super) struct Meter<'a> {
    limits: &'a Limits<'a>,
    visited: Cell<u64>,
    /// In a helper thread: the shared state of the helpers, and the pass of this helper.
    post: Option<(&'a Post<'a>, Cell<u64>)>,
}

impl<'a> Meter<'a> {
    /// A meter with no positions counted.
    pub(super) fn new(limits: &'a Limits<'a>) -> Meter<'a> {
        Meter { limits, visited: Cell::new(0), post: None }
    }

    /// The meter of a helper thread, which also stops if the main search begins another pass.
    pub(super) fn of_helper(limits: &'a Limits<'a>, post: &'a Post<'a>) -> Meter<'a> {
        Meter { limits, visited: Cell::new(0), post: Some((post, Cell::new(0))) }
    }

    /// Sets the pass of a helper thread.
    pub(super) fn work_on(&self, pass: u64) {
        if let Some((_, own)) = &self.post {
            own.set(pass);
        }
    }

    /// Counts one more position; false if a limit or the stop flag forbids it.
    pub(super) fn count_node(&self) -> bool {
        let before = self.visited.get();
        if self.is_stopped() || self.limits.nodes.is_some_and(|most| before >= most) {
            return false;
        }
        let visited = before + 1;
        self.visited.set(visited);
        if let Some(progress) = self.limits.progress
            && (visited < PROGRESS_INTERVAL || visited.is_multiple_of(PROGRESS_INTERVAL))
        {
            progress(visited);
        }
        true
    }

    /// Takes back the count of positions that are visited again.
    pub(super) fn discount(&self, positions: u64) {
        self.visited.set(self.visited.get() - positions);
    }

    /// Whether a line of so many plies exceeds the limit.
    pub(super) fn is_too_long(&self, plies: usize) -> bool {
        self.limits.longest.is_some_and(|longest| plies >= longest as usize)
    }

    /// The number of positions visited.
    pub(super) fn visited(&self) -> u64 {
        self.visited.get()
    }

    /// The number of positions that the node limit still allows.
    pub(super) fn left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.visited.get()))
    }

    pub(super) fn limits(&self) -> &'a Limits<'a> {
        self.limits
    }

    /// Converts a fault. After the stop flag was set, a fault only stops the search: the flag may
    /// have interrupted the rules, and that alone may make them fault.
    pub(super) fn fault<F, M>(&self, fault: F) -> SearchHalt<F, M> {
        match self.is_stopped() {
            true => SearchHalt::Stopped,
            false => SearchHalt::Failed(SearchError::Fault { fault, line: Vec::new() }),
        }
    }

    /// Whether the stop flag is set, or this helper's pass is obsolete.
    pub(super) fn is_stopped(&self) -> bool {
        // Relaxed ordering is enough: the flag guards no other memory, and one position later is
        // soon enough.
        let stopped = self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.post.as_ref().is_some_and(|(post, own)| post.wants_other_than(own.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn the_node_limit_admits_that_many() {
        let limits = Limits { nodes: Some(3), ..Limits::default() };
        let meter = Meter::new(&limits);
        let admitted = (0..10).filter(|_| meter.count_node()).count();
        assert_eq!(admitted, 3);
    }

    #[test]
    fn the_stop_flag_admits_nothing() {
        let stop = AtomicBool::new(true);
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        assert!(!Meter::new(&limits).count_node());
    }

    #[test]
    fn progress_is_told_from_the_start_and_then_at_every_interval() {
        let heard = RefCell::new(Vec::new());
        let hear = |visited| heard.borrow_mut().push(visited);
        let limits = Limits { progress: Some(&hear), ..Limits::default() };
        let meter = Meter::new(&limits);
        for _ in 0..2 * PROGRESS_INTERVAL + 1 {
            assert!(meter.count_node());
        }
        let told: Vec<u64> = (1..=PROGRESS_INTERVAL).chain([2 * PROGRESS_INTERVAL]).collect();
        assert_eq!(heard.take(), told);
    }
}
