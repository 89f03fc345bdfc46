//! Starts and stops the searches of an engine: by a deadline, by `stop`, by the end of the input, by Ctrl-C.
//!
//! The thread that reads lines numbers the searches and may stop them before they begin. The thread that
//! searches declares the beginning and the end of each search. A third thread sets the stop flag when it is
//! time. All of them change the flag only under one lock, so a late stop never reaches the next search.

use crate::protocol::connection::locked;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks for Ctrl-C during a search.
const TICK: Duration = Duration::from_millis(20);

/// The time that a search without a time limit still has after the end of the input.
const GRACE: Duration = Duration::from_secs(10);

/// Stops the searches of one engine.
pub(super) struct SearchControl {
    state: Mutex<ControlState>,
    changed: Condvar,
    /// The flag that searches and rules check.
    flag: Arc<AtomicBool>,
    /// The flag of Ctrl-C.
    interrupted: Arc<AtomicBool>,
}

#[derive(Default)]
struct ControlState {
    /// The number of searches that were requested.
    requested: u64,
    /// Searches up to this number must end.
    stopped: u64,
    /// The number of searches that ended.
    ended: u64,
    running: Option<RunningSearch>,
    /// The time when the input ended.
    closed: Option<Instant>,
    quits: bool,
}

/// A search that runs.
struct RunningSearch {
    begun: Instant,
    deadline: Option<Instant>,
    /// Whether only `stop` ends the search.
    infinite: bool,
}

impl ControlState {
    /// The time when the running search must end, if there is one.
    fn due(&self) -> Option<Instant> {
        let running = self.running.as_ref()?;
        let closed = self.closed.filter(|_| running.deadline.is_none());
        match closed {
            Some(closed) if running.infinite => Some(closed),
            Some(closed) => Some(closed.max(running.begun) + GRACE),
            None => running.deadline,
        }
    }
}

impl SearchControl {
    /// Starts the thread that sets the flag. `flag` is that of the searches, `interrupted` that of Ctrl-C.
    pub(super) fn start(flag: Arc<AtomicBool>, interrupted: Arc<AtomicBool>) -> Arc<SearchControl> {
        let control = Arc::new(SearchControl { state: Mutex::default(), changed: Condvar::new(), flag, interrupted });
        let watched = control.clone();
        thread::spawn(move || watched.watch());
        control
    }

    fn watch(&self) {
        let mut state = locked(&self.state);
        while !state.quits {
            if state.running.is_none() {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let due = state.due();
            let left = due.map_or(TICK, |due| due.saturating_duration_since(Instant::now()));
            if left.is_zero() || self.interrupted.load(Relaxed) {
                self.flag.store(true, Relaxed);
            }
            let wait = if left.is_zero() { TICK } else { left.min(TICK) };
            state = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        self.flag.store(true, Relaxed);
    }

    fn change<T>(&self, change: impl FnOnce(&mut MutexGuard<'_, ControlState>) -> T) -> T {
        let changed = change(&mut locked(&self.state));
        self.changed.notify_all();
        changed
    }

    /// The number of a newly requested search.
    pub(super) fn request(&self) -> u64 {
        self.change(|state| {
            state.requested += 1;
            state.requested
        })
    }

    /// Whether a requested search has not ended.
    pub(super) fn is_busy(&self) -> bool {
        let state = locked(&self.state);
        state.ended < state.requested
    }

    /// Stops all requested searches.
    pub(super) fn stop(&self) {
        self.change(|state| {
            state.stopped = state.requested;
            if state.running.is_some() {
                self.flag.store(true, Relaxed);
            }
        });
    }

    /// Notes that the input has ended.
    pub(super) fn close(&self) {
        self.change(|state| state.closed = Some(Instant::now()));
    }

    /// Ends the engine.
    pub(super) fn quit(&self) {
        self.change(|state| {
            state.quits = true;
            self.flag.store(true, Relaxed);
        });
    }

    /// Whether the engine ends.
    pub(super) fn quits(&self) -> bool {
        locked(&self.state).quits || self.interrupted.load(Relaxed)
    }

    /// Begins a search.
    pub(super) fn begin(&self, number: u64, deadline: Option<Instant>, infinite: bool) {
        self.change(|state| {
            let now = Instant::now();
            let is_due = deadline.is_some_and(|deadline| deadline <= now);
            self.flag.store(state.quits || number <= state.stopped || is_due, Relaxed);
            state.running = Some(RunningSearch { begun: now, deadline, infinite });
        });
    }

    /// Ends the search that runs.
    pub(super) fn end(&self) {
        self.change(|state| {
            state.running = None;
            self.flag.store(state.quits, Relaxed);
        });
    }

    /// Notes that the answer of a search is about to be sent.
    pub(super) fn answered(&self, number: u64) {
        self.change(|state| state.ended = number);
    }

    /// Waits until this search is stopped.
    pub(super) fn wait_for_stop(&self, number: u64) {
        let mut state = locked(&self.state);
        while state.stopped < number && !state.quits && state.closed.is_none() && !self.interrupted.load(Relaxed) {
            state = self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The flag that searches check.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control() -> (Arc<SearchControl>, Arc<AtomicBool>) {
        let flag = Arc::new(AtomicBool::new(false));
        (SearchControl::start(flag.clone(), Arc::default()), flag)
    }

    fn wait_for(flag: &AtomicBool) {
        while !flag.load(Relaxed) {
            thread::yield_now();
        }
    }

    #[test]
    fn a_stop_ends_the_searches_before_it_and_no_later_one() {
        let (control, flag) = control();
        let (first, second) = (control.request(), control.request());
        control.stop();
        let third = control.request();
        for (number, stopped) in [(first, true), (second, true), (third, false)] {
            control.begin(number, None, false);
            assert_eq!(flag.load(Relaxed), stopped, "search {number}");
            control.end();
            assert!(!flag.load(Relaxed));
            assert!(control.is_busy());
            control.answered(number);
        }
        assert!(!control.is_busy());
        control.stop();
        assert!(!flag.load(Relaxed), "nothing runs");
    }

    #[test]
    fn a_deadline_and_the_end_of_the_input_stop_a_search() {
        let (control, flag) = control();
        control.begin(control.request(), Some(Instant::now() + Duration::from_millis(5)), false);
        wait_for(&flag);
        control.end();
        let number = control.request();
        control.begin(number, None, true);
        control.close();
        wait_for(&flag);
        control.end();
        control.wait_for_stop(number);
        control.quit();
        assert!(control.quits() && flag.load(Relaxed));
    }
}
