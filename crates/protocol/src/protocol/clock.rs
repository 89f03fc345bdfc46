//! A clock that stops a search after a time limit or at an interrupt.
//!
//! It sets a flag that games and searches check. The flag is set by the time limit or by the interrupt
//! flag `stop`.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks of the clock, its greatest delay.
const TICK: Duration = Duration::from_millis(5);

/// The time that the first legal move may take beyond the time limit: rules may be slow or endless.
const PATIENCE: Duration = Duration::from_secs(1);

/// A flag that is set at an interrupt or at the end of a time limit.
pub struct Clock {
    flag: Arc<AtomicBool>,
    limit: Option<Limit>,
    begun: OnceLock<Instant>,
    /// Dropping this sender ends the thread of the clock.
    _alive: Option<Sender<()>>,
}

/// A time limit. Before there is an end, it ends nothing.
#[derive(Clone)]
struct Limit {
    length: Duration,
    /// The start of the limit; without it, the limit starts at [`Clock::begin`].
    since: Option<Instant>,
    end: Arc<Mutex<Option<Instant>>>,
}

impl Limit {
    /// The end, counted from `now` unless the limit has a start; `None` if it is too far away to matter.
    fn end(&self, now: Instant) -> Option<Instant> {
        self.since.unwrap_or(now).checked_add(self.length)
    }

    fn set(&self, end: Option<Instant>) {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }

    /// The time left; `None` before the clock has begun.
    fn left(&self) -> Option<Duration> {
        let end = *self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

impl Clock {
    /// A clock whose flag follows `stop`, and with a limit is set `seconds` after [`Clock::begin`].
    pub fn new(stop: &Arc<AtomicBool>, seconds: Option<f64>) -> Clock {
        match seconds {
            Some(seconds) => Clock::setting(&Arc::default(), stop, seconds),
            None => Clock { flag: stop.clone(), limit: None, begun: OnceLock::new(), _alive: None },
        }
    }

    /// A clock whose limit counts from `since`; it is never set before [`Clock::begin`].
    pub fn since(stop: &Arc<AtomicBool>, seconds: Option<f64>, since: Instant) -> Clock {
        match seconds {
            Some(seconds) => Clock::watching(&Arc::default(), stop, seconds, Some(since)),
            None => Clock::new(stop, None),
        }
    }

    /// A clock that sets the given flag `seconds` after [`Clock::begin`] or when `stop` is set.
    /// Dropping the clock ends this.
    pub fn setting(flag: &Arc<AtomicBool>, stop: &Arc<AtomicBool>, seconds: f64) -> Clock {
        Clock::watching(flag, stop, seconds, None)
    }

    fn watching(flag: &Arc<AtomicBool>, stop: &Arc<AtomicBool>, seconds: f64, since: Option<Instant>) -> Clock {
        let limit = Limit { length: Duration::from_secs_f64(seconds), since, end: Arc::default() };
        let (alive, gone) = channel();
        let (set, watched, watching) = (flag.clone(), stop.clone(), limit.clone());
        thread::spawn(move || {
            loop {
                let left = watching.left().unwrap_or(TICK);
                if left.is_zero() || watched.load(Relaxed) {
                    return set.store(true, Relaxed);
                }
                // Nothing is ever sent; the channel only reports that the clock was dropped.
                if gone.recv_timeout(left.min(TICK)) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        });
        Clock { flag: flag.clone(), limit: Some(limit), begun: OnceLock::new(), _alive: Some(alive) }
    }

    /// Runs `find`, which looks for a move to give if the time ends before the search finds one. The flag is
    /// not set before the end of the limit, nor in the first second of `find`. Without a limit, `find` is
    /// not run.
    pub fn reserve<T>(&self, find: impl FnOnce() -> Option<T>) -> Option<T> {
        let limit = self.limit.as_ref()?;
        let now = Instant::now();
        limit.set(limit.end(now).map(|end| end.max(now + PATIENCE)));
        let found = find();
        limit.set(None);
        found
    }

    /// Starts the time, when everything else is ready.
    pub fn begin(&self) {
        let now = Instant::now();
        let _ = self.begun.set(now);
        let Some(limit) = &self.limit else { return };
        let end = limit.end(now);
        limit.set(end);
        if end.is_some_and(|end| end <= now) {
            self.flag.store(true, Relaxed);
        }
    }

    /// The flag that games and searches check.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Seconds since [`Clock::begin`].
    pub fn seconds(&self) -> f64 {
        self.begun.get().map_or(0.0, |begun| begun.elapsed().as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flag of a clock whose time ended an hour ago: before it begins, while a move is reserved, and after
    /// it has begun.
    #[test]
    fn a_limit_that_is_over_leaves_time_for_the_first_move() {
        let Some(since) = Instant::now().checked_sub(Duration::from_secs(3600)) else { return };
        let clock = Clock::since(&Arc::default(), Some(1.0), since);
        let is_set = || clock.flag().load(Relaxed);
        assert!(!is_set());
        assert_eq!(clock.reserve(|| Some(is_set())), Some(false));
        assert!(!is_set());
        clock.begin();
        assert!(is_set());
    }

    #[test]
    fn without_a_limit_no_move_is_reserved() {
        let clock = Clock::since(&Arc::default(), None, Instant::now());
        assert_eq!(clock.reserve(|| Some(1)), None);
    }

    #[test]
    fn a_search_for_the_first_move_ends_if_the_rules_do_not() {
        let clock = Clock::new(&Arc::default(), Some(0.0));
        let ended = clock.reserve(|| {
            while !clock.flag().load(Relaxed) {}
            Some(())
        });
        assert_eq!(ended, Some(()));
    }
}
