//! A clock that stops a search: after so many seconds, or when a person asks.
//!
//! In: the flag that an interrupt sets, and a time. Out: a flag of its own for games and searches,
//! set by either. Whoever asks afterwards learns which it was.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How late the flag may be set.
const TICK: Duration = Duration::from_millis(5);

/// See the module.
pub struct Clock {
    flag: Arc<AtomicBool>,
    limit: Option<Duration>,
    begun: Arc<OnceLock<Instant>>,
    /// The thread that counts ends when this goes.
    _alive: Option<Sender<()>>,
}

impl Clock {
    /// A clock that follows `stop`, and is set `seconds` after it has begun.
    pub fn new(stop: &Arc<AtomicBool>, seconds: Option<f64>) -> Clock {
        match seconds {
            Some(seconds) => Clock::setting(&Arc::default(), stop, seconds),
            None => Clock { flag: stop.clone(), limit: None, begun: Arc::default(), _alive: None },
        }
    }

    /// A clock that sets the given flag, `seconds` after it has begun or when `stop` is set, as long
    /// as the clock lives.
    pub fn setting(flag: &Arc<AtomicBool>, stop: &Arc<AtomicBool>, seconds: f64) -> Clock {
        let limit = Duration::from_secs_f64(seconds);
        let begun = Arc::new(OnceLock::new());
        let (alive, gone) = channel();
        let clock = Clock { flag: flag.clone(), limit: Some(limit), begun: begun.clone(), _alive: Some(alive) };
        let (flag, watched) = (flag.clone(), stop.clone());
        thread::spawn(move || {
            loop {
                let left = begun.get().map_or(limit.max(TICK), |begun: &Instant| limit.saturating_sub(begun.elapsed()));
                if left.is_zero() || watched.load(Relaxed) {
                    return flag.store(true, Relaxed);
                }
                // Nothing is ever sent: it is the end that is heard.
                if gone.recv_timeout(left.min(TICK)) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        });
        clock
    }

    /// Begins to count: once everything is ready.
    pub fn begin(&self) {
        let _ = self.begun.set(Instant::now());
        if self.limit.is_some_and(|limit| limit.is_zero()) {
            self.flag.store(true, Relaxed);
        }
    }

    /// What a game and a search look at.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Seconds since it began.
    pub fn seconds(&self) -> f64 {
        self.begun.get().map_or(0.0, |begun| begun.elapsed().as_secs_f64())
    }
}
