//! A clock that stops a search: after so many seconds, or when a person asks.
//!
//! In: the flag that an interrupt sets, and a time. Out: a flag of its own for games and searches,
//! set by either. Whoever asks afterwards learns which it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// How late the flag may be set.
const TICK: Duration = Duration::from_millis(5);

/// See the module.
pub struct Clock {
    flag: Arc<AtomicBool>,
    begun: Instant,
}

impl Clock {
    /// A clock that follows `stop`, and is set after `seconds`.
    pub fn new(stop: &Arc<AtomicBool>, seconds: Option<f64>) -> Clock {
        let begun = Instant::now();
        let Some(seconds) = seconds else { return Clock { flag: stop.clone(), begun } };
        let flag = Arc::new(AtomicBool::new(false));
        let end = begun + Duration::from_secs_f64(seconds);
        let (watched, set) = (stop.clone(), flag.clone());
        // It ends with the program.
        thread::spawn(move || {
            loop {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() || watched.load(Relaxed) {
                    return set.store(true, Relaxed);
                }
                thread::sleep(left.min(TICK));
            }
        });
        Clock { flag, begun }
    }

    /// What a game and a search look at.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Seconds since it began.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}
