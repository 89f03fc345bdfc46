//! Shows a line of progress on stderr, if a command takes longer than a second at a terminal.

use crate::cli::output::Out;
use alphorn_text::report::{grouped, plural};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The progress line of a command.
pub struct ProgressLine {
    bar: ProgressBar,
    begun: Instant,
    shown: Cell<bool>,
    hidden: bool,
    /// The current task, where a command has several.
    task: RefCell<Option<String>>,
}

impl ProgressLine {
    /// A line that shows nothing yet. It never shows anything while the user types a line.
    pub fn new(out: &Out) -> ProgressLine {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        ProgressLine {
            bar,
            begun: Instant::now(),
            shown: Cell::new(false),
            hidden: out.behind,
            task: RefCell::default(),
        }
    }

    /// Sets the current task, where a command has several.
    pub fn task(&self, task: Option<String>) {
        self.task.replace(task);
    }

    /// Shows the number of positions visited, and the speed.
    pub fn at(&self, nodes: u64) {
        self.tell(|seconds| {
            let each = (nodes as f64 / seconds) as u64;
            let positions = plural(nodes, "position", "positions");
            format!("{positions}, {} a second, {seconds:.0} s", grouped(each))
        });
    }

    /// Shows the number of games played.
    pub fn games(&self, done: u64, all: u64) {
        self.tell(|seconds| format!("{} of {}, {seconds:.0} s", grouped(done), plural(all, "game", "games")));
    }

    /// Shows how many of the positions known so far are done.
    pub fn of(&self, done: u64, known: u64) {
        self.tell(|seconds| outlook(done, known, seconds));
    }

    /// Shows a message, which gets the elapsed seconds, after the first second.
    pub fn tell(&self, message: impl FnOnce(f64) -> String) {
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
        let task = self.task.borrow();
        self.bar.set_message(match &*task {
            Some(task) => format!("{task}: {}", message(seconds)),
            None => message(seconds),
        });
    }

    /// Writes text above the progress line.
    pub fn above(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Removes the progress line.
    pub fn done(&self) {
        self.bar.finish_and_clear();
    }
}

/// Formats the progress and the remaining time, at the speed so far.
fn outlook(done: u64, known: u64, seconds: f64) -> String {
    let each = (done as f64 / seconds) as u64;
    let positions = plural(known, "position", "positions");
    let so_far = format!("{} of {positions} known so far, {} a second, {seconds:.0} s", grouped(done), grouped(each));
    match known.checked_sub(done) {
        Some(left @ 1..) if done > 0 => {
            let more = left as f64 * seconds / done as f64;
            format!("{so_far}, about {} more", lasting(more))
        }
        _ => so_far,
    }
}

/// Formats a duration: `40 s`, `12 min`, `3.5 h`.
pub fn lasting(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::outlook;

    #[test]
    fn progress_says_how_long_it_will_take() {
        for (done, known, seconds, told) in [
            (1000, 4000, 2.0, "1,000 of 4,000 positions known so far, 500 a second, 2 s, about 6 s more"),
            (10, 10_010, 1.0, "10 of 10,010 positions known so far, 10 a second, 1 s, about 17 min more"),
            (1, 100_001, 1.0, "1 of 100,001 positions known so far, 1 a second, 1 s, about 27.8 h more"),
            (4, 4, 2.0, "4 of 4 positions known so far, 2 a second, 2 s"),
            (0, 9, 3.0, "0 of 9 positions known so far, 0 a second, 3 s"),
        ] {
            assert_eq!(outlook(done, known, seconds), told);
        }
    }
}
