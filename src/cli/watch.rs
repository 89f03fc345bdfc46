//! Draws the events of a request on stderr: warnings, notes and progress.

use crate::cli::output::Out;
use crate::cli::progress::ProgressLine;
use alphorn_protocol::protocol::host::{self, Event, Unit};

/// Draws the events of one request.
pub struct EventPrinter<'a> {
    out: &'a Out,
    /// The progress line.
    pub progress: ProgressLine,
    /// Whether notes are left out, because lines of JSON are printed.
    quiet: bool,
}

impl<'a> EventPrinter<'a> {
    /// A watch without events yet.
    pub fn new(out: &'a Out, quiet: bool) -> EventPrinter<'a> {
        EventPrinter { out, progress: ProgressLine::new(out), quiet: quiet || out.json }
    }

    /// Draws an event. Events of one kind of request only are ignored here.
    pub fn print_event(&self, event: Event) {
        match event {
            Event::Warnings { problems } => self.progress.above(|| self.out.report(&problems.0)),
            Event::Note { text } if !self.quiet => {
                self.progress.above(|| self.out.tell(&format!("note: {text}\n")));
            }
            Event::Progress(host::Progress { unit, done, total, task }) => {
                self.progress.task(task);
                match (unit, total) {
                    (Unit::Positions, None) => self.progress.at(done),
                    (Unit::Positions, Some(total)) => self.progress.of(done, total),
                    (Unit::Games, total) => self.progress.games(done, total.unwrap_or(done)),
                }
            }
            _ => {}
        }
    }
}

impl Drop for EventPrinter<'_> {
    fn drop(&mut self) {
        self.progress.done();
    }
}
