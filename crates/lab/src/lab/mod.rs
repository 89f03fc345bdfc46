//! Laboratory: the classic results on the search of game trees, counted again.
//!
//! In: shapes and seeds, or a game. Out: plain numbers: leaves visited, critical positions, means
//! beside what theory says. Made-up trees are games like any other and go through the same searches
//! as a game in a file; only what no search reports is walked here. The same seed gives the same
//! numbers on every machine: integers decide everything, and what is divided is divided at the end.
//! Has never heard of terms, of the language of rules, or of a terminal.

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

/// An experiment was told to stop before there was anything to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Errs once somebody has set the flag.
fn go_on(stop: &AtomicBool) -> Result<(), Stopped> {
    match stop.load(Ordering::Relaxed) {
        true => Err(Stopped),
        false => Ok(()),
    }
}
