//! An alarm: a flag that ends a search when its time is over.
//!
//! Each player of a match has an alarm. Its flag is set when the time of a move is over, or when the
//! common stop flag is set. One thread watches all alarms, for any number of moves.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum delay of the flag.
const TICK: Duration = Duration::from_millis(5);

/// A flag with an optional end time.
#[derive(Default)]
pub struct Alarm {
    flag: Arc<AtomicBool>,
    end: Mutex<Option<Instant>>,
}

impl Alarm {
    /// The flag that games and searches check.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Runs `work` with a time limit in seconds. The flag is clear before and afterwards, unless `stop`
    /// is set.
    pub fn within<T>(&self, seconds: Option<f64>, stop: &AtomicBool, work: impl FnOnce() -> T) -> T {
        self.set(seconds.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds)), stop);
        let done = work();
        self.set(None, stop);
        done
    }

    fn set(&self, end: Option<Instant>, stop: &AtomicBool) {
        // The watcher sets the flag under this lock, so never after the end of the work.
        let mut current = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        *current = end;
        let over = end.is_some_and(|end| Instant::now() >= end);
        self.flag.store(over || stop.load(Relaxed), Relaxed);
    }

    fn look(&self, stop: bool) {
        let current = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if stop || current.is_some_and(|end| Instant::now() >= end) {
            self.flag.store(true, Relaxed);
        }
    }
}

/// Sets the flags whose time is over, until `done`. Sets all flags if `stop` or `over` is set.
pub fn watch(alarms: &[Alarm], [stop, over]: [&AtomicBool; 2], done: &AtomicBool) {
    while !done.load(Relaxed) {
        alarms.iter().for_each(|alarm| alarm.look(stop.load(Relaxed) || over.load(Relaxed)));
        thread::sleep(TICK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_up_for_one_piece_of_work_alone() {
        let (alarms, stop, over) = ([Alarm::default()], AtomicBool::new(false), AtomicBool::new(false));
        let done = AtomicBool::new(false);
        let up = || alarms[0].flag().load(Relaxed);
        thread::scope(|scope| {
            scope.spawn(|| watch(&alarms, [&stop, &over], &done));
            alarms[0].within(Some(0.0), &stop, || while !up() {});
            assert!(!alarms[0].within(None, &stop, up) && !up());
            stop.store(true, Relaxed);
            alarms[0].within(None, &stop, || while !up() {});
            done.store(true, Relaxed);
        });
        assert!(up(), "to stop is to stop");
    }
}
