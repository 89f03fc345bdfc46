//! Alarm: a flag that ends a search when its time is over, move after move.
//!
//! In: seconds, and the flag that somebody sets to stop everything. Out: for each player at a table
//! a flag of its own, set by either. One thread watches all of them, however many moves are made.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How late the flag may be set.
const TICK: Duration = Duration::from_millis(5);

/// See the module.
#[derive(Default)]
pub struct Alarm {
    flag: Arc<AtomicBool>,
    end: Mutex<Option<Instant>>,
}

impl Alarm {
    /// What games and searches look at.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Does something for which there are so many seconds. The flag is down before and afterwards,
    /// unless everything is to stop.
    pub fn within<T>(&self, seconds: Option<f64>, stop: &AtomicBool, work: impl FnOnce() -> T) -> T {
        self.set(seconds.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds)), stop);
        let done = work();
        self.set(None, stop);
        done
    }

    fn set(&self, end: Option<Instant>, stop: &AtomicBool) {
        // Whoever watches holds the lock while the flag goes up: never after its time.
        let mut held = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        *held = end;
        let over = end.is_some_and(|end| Instant::now() >= end);
        self.flag.store(over || stop.load(Relaxed), Relaxed);
    }

    fn look(&self, stop: bool) {
        let held = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if stop || held.is_some_and(|end| Instant::now() >= end) {
            self.flag.store(true, Relaxed);
        }
    }
}

/// Sets flags whose time is over, until `done`.
pub fn watch(alarms: &[Alarm], stop: &AtomicBool, done: &AtomicBool) {
    while !done.load(Relaxed) {
        alarms.iter().for_each(|alarm| alarm.look(stop.load(Relaxed)));
        thread::sleep(TICK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_up_for_one_piece_of_work_alone() {
        let (alarms, stop, done) = ([Alarm::default()], AtomicBool::new(false), AtomicBool::new(false));
        let up = || alarms[0].flag().load(Relaxed);
        thread::scope(|scope| {
            scope.spawn(|| watch(&alarms, &stop, &done));
            alarms[0].within(Some(0.0), &stop, || while !up() {});
            assert!(!alarms[0].within(None, &stop, up) && !up());
            stop.store(true, Relaxed);
            alarms[0].within(None, &stop, || while !up() {});
            done.store(true, Relaxed);
        });
        assert!(up(), "to stop is to stop");
    }
}
