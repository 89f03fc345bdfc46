//! The laboratory: classic results on game-tree search, measured again.
//!
//! It takes shapes and seeds, or a game. It returns numbers: visited leaves, critical positions, and
//! means beside the values of the theory. Artificial trees implement `Game`, so the usual searches apply.
//! Walks of its own count only what no search reports. The same seed gives the same numbers on every
//! machine, because the counts are integers, divided only at the end. It knows neither terms, the rule
//! language nor a terminal.

pub mod known;
pub mod seeded;
pub mod theory;
pub mod uniform;

pub mod analysis;
mod census;
pub mod critical;
pub mod null_window;
pub mod ties;
pub mod trace;

pub mod counting;
pub mod picture;

use std::sync::atomic::{AtomicBool, Ordering};

/// The error of an experiment that was stopped before it had a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Errs if the stop flag is set.
fn go_on(stop: &AtomicBool) -> Result<(), Stopped> {
    match stop.load(Ordering::Relaxed) {
        true => Err(Stopped),
        false => Ok(()),
    }
}
