//! Limits: when a search gives up, and who hears how far it is.
//!
//! In: a depth, a number of positions, a stop flag that another thread or a signal may set, and a
//! hook for progress. Out: to the searches a meter that counts every position and says when to stop.
//! Knows no clock: who wants a limit in seconds sets the flag when they are over.

use super::engine::Post;
use super::result::SearchError;
use super::stack::SearchHalt;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many positions lie between two calls of the progress hook; each of the first so many is told, for
/// some games take seconds for one.
pub const PROGRESS_INTERVAL: u64 = 256;

/// When a search gives up. The default never does.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// How many plies to look ahead; at that depth the heuristic judges. `None`: to the end of the
    /// game, where a position that comes again is reported unless the rules allow for it.
    pub depth: Option<u32>,
    /// How many positions to visit at most, those of proof searches included. Unlike a clock it
    /// stops at the same position on every machine.
    pub nodes: Option<u64>,
    /// Whether somebody is going to set the stop flag, whatever happens: without a depth or a
    /// number of positions, only then does a search go on where play might never end.
    pub timed: bool,
    /// The longest line of play, in plies, that is followed: a game may have lines without end.
    pub longest: Option<u32>,
    /// Stops the search soon after it becomes true; looked at before every position.
    pub stop: Option<&'a AtomicBool>,
    /// Called with the number of positions so far, after each of the first positions, and then
    /// once every [`PROGRESS_INTERVAL`].
    pub progress: Option<&'a dyn Fn(u64)>,
}

impl<'a> Limits<'a> {
    /// Only a depth in plies.
    pub fn to_depth(depth: u32) -> Limits<'a> {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether a search that has no end of its own ends.
    pub(super) fn is_bounded(&self) -> bool {
        self.timed || self.nodes.is_some()
    }
}

/// Counts the positions of one run, through all of its passes, against its limits.
pub(super) struct Meter<'a> {
    limits: &'a Limits<'a>,
    visited: Cell<u64>,
    /// Of a helper: what is wanted of it, and the depth that it works at.
    post: Option<(&'a Post<'a>, Cell<u32>)>,
}

impl<'a> Meter<'a> {
    /// A meter that has seen nothing yet.
    pub(super) fn new(limits: &'a Limits<'a>) -> Meter<'a> {
        Meter { limits, visited: Cell::new(0), post: None }
    }

    /// The meter of a helper: what others have left behind stops it as well.
    pub(super) fn of_helper(limits: &'a Limits<'a>, post: &'a Post<'a>) -> Meter<'a> {
        Meter { limits, visited: Cell::new(0), post: Some((post, Cell::new(0))) }
    }

    /// Says at which depth a helper works.
    pub(super) fn work_at(&self, depth: u32) {
        if let Some((_, own)) = &self.post {
            own.set(depth);
        }
    }

    /// Counts one more position; false when there must not be one.
    pub(super) fn admits_one_more(&self) -> bool {
        let before = self.visited.get();
        if self.stop_is_asked() || self.limits.nodes.is_some_and(|most| before >= most) {
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

    /// Whether a line of so many plies is too long to follow.
    pub(super) fn is_too_long(&self, plies: usize) -> bool {
        self.limits.longest.is_some_and(|longest| plies >= longest as usize)
    }

    /// How many positions were visited.
    pub(super) fn visited(&self) -> u64 {
        self.visited.get()
    }

    /// How many more positions there may be.
    pub(super) fn left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.visited.get()))
    }

    /// What it goes by.
    pub(super) fn limits(&self) -> &'a Limits<'a> {
        self.limits
    }

    /// What a fault is to a search. Rules that were cut short by the stop flag may fault for that
    /// alone, so after it a fault only stops.
    pub(super) fn fault<F, M>(&self, fault: F) -> SearchHalt<F, M> {
        match self.stop_is_asked() {
            true => SearchHalt::Stopped,
            false => SearchHalt::Failed(SearchError::Fault { fault, line: Vec::new() }),
        }
    }

    /// Whether somebody has set the stop flag.
    pub(super) fn stop_is_asked(&self) -> bool {
        // Relaxed is enough: the flag guards no other memory, and a position later is soon enough.
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
        let admitted = (0..10).filter(|_| meter.admits_one_more()).count();
        assert_eq!(admitted, 3);
    }

    #[test]
    fn the_stop_flag_admits_nothing() {
        let stop = AtomicBool::new(true);
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        assert!(!Meter::new(&limits).admits_one_more());
    }

    #[test]
    fn progress_is_told_from_the_start_and_then_at_every_interval() {
        let heard = RefCell::new(Vec::new());
        let hear = |visited| heard.borrow_mut().push(visited);
        let limits = Limits { progress: Some(&hear), ..Limits::default() };
        let meter = Meter::new(&limits);
        for _ in 0..2 * PROGRESS_INTERVAL + 1 {
            assert!(meter.admits_one_more());
        }
        let told: Vec<u64> = (1..=PROGRESS_INTERVAL).chain([2 * PROGRESS_INTERVAL]).collect();
        assert_eq!(heard.take(), told);
    }
}
