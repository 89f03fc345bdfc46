//! A clock that stops a search after a time limit or at an interrupt.
//!
//! It sets a flag that games and searches check. The flag is set by the time limit or by the interrupt
//! flag `stop`.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks of the clock, its greatest delay.
const TICK: Duration = Duration::from_millis(5);

/// A flag that is set at an interrupt or at the end of a time limit.
pub struct Clock {
    flag: Arc<AtomicBool>,
    limit: Option<Duration>,
    begun: Arc<OnceLock<Instant>>,
    /// Dropping this sender ends the thread of the clock.
    _alive: Option<Sender<()>>,
}

impl Clock {
    /// A clock whose flag follows `stop`, and with a limit is set `seconds` after [`Clock::begin`].
    pub fn new(stop: &Arc<AtomicBool>, seconds: Option<f64>) -> Clock {
        match seconds {
            Some(seconds) => Clock::setting(&Arc::default(), stop, seconds),
            None => Clock { flag: stop.clone(), limit: None, begun: Arc::default(), _alive: None },
        }
    }

    /// A clock that sets the given flag `seconds` after [`Clock::begin`] or when `stop` is set.
    /// Dropping the clock ends this.
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
                // Nothing is ever sent; the channel only reports that the clock was dropped.
                if gone.recv_timeout(left.min(TICK)) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        });
        clock
    }

    /// Starts the time, when everything else is ready.
    pub fn begin(&self) {
        let _ = self.begun.set(Instant::now());
        if self.limit.is_some_and(|limit| limit.is_zero()) {
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
