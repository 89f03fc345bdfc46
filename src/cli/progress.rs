//! A line of progress on stderr, when something takes longer than a second
//! and a person is watching.

use crate::cli::output::Out;
use crate::report::{grouped, plural};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Shows how many positions have been visited.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: Cell<bool>,
    hidden: bool,
    /// What the positions are counted for, with a colon behind it; empty where nobody need be told.
    about: String,
}

impl Progress {
    /// Shows nothing yet; and never anything over the line that is typed meanwhile.
    pub fn new(out: &Out) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Progress { bar, begun: Instant::now(), shown: Cell::new(false), hidden: out.behind, about: String::new() }
    }

    /// The same for one of several things that are done one after the other: says which.
    pub fn about(out: &Out, what: &str) -> Progress {
        Progress { about: format!("{what}: "), ..Progress::new(out) }
    }

    /// Hears how far the search is.
    pub fn at(&self, nodes: u64) {
        let seconds = self.begun.elapsed().as_secs_f64();
        if seconds < 1.0 || self.hidden {
            return;
        }
        if !self.shown.replace(true) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                self.bar.set_style(style);
            }
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
        let each = (nodes as f64 / seconds) as u64;
        self.bar.set_message(format!(
            "{}{}, {} a second, {seconds:.0} s",
            self.about,
            plural(nodes, "position", "positions"),
            grouped(each)
        ));
    }

    /// Writes something above the line.
    pub fn above(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Seconds since it began.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Takes the line away.
    pub fn done(&self) {
        self.bar.finish_and_clear();
    }
}
