//! Checks an open file as the command line does.
//!
//! A [`CheckJob`] is a copy of everything that a check needs, so it runs on another thread.

use crate::lsp::project::Role;
use alphorn_lang::lang::ProgramOptions;
use alphorn_protocol::protocol::check::{self, checked};
use alphorn_rules::rules::{self, Expected};
use alphorn_text::code::Code;
use alphorn_text::report::Report;
use alphorn_text::source::Source;
use lsp_types::Uri;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What to check.
#[derive(Clone)]
pub struct CheckJob {
    /// The open file.
    pub uri: Uri,
    /// The version of its text.
    pub version: i32,
    /// The part that the file plays.
    pub role: Role,
    /// The file itself.
    pub file: Source,
    /// The game of an overlay, or the file that loads this one.
    pub root: Option<Source>,
    /// The load options, with the texts of all open files.
    pub options: ProgramOptions,
}

/// The result of a check.
pub struct CheckOutcome {
    /// The version of the text.
    pub version: i32,
    /// The name of the file in the report.
    pub name: Arc<str>,
    /// The part that the file plays.
    pub role: Role,
    /// The problems, also those in other files.
    pub report: Report,
}

impl CheckJob {
    /// The main text and the overlays that the check loads.
    pub fn texts(&self) -> (Source, Vec<Source>) {
        match (&self.role, &self.root) {
            (Role::Overlay(_), Some(game)) => (game.clone(), vec![self.file.clone()]),
            (Role::Part(_), Some(root)) => (root.clone(), Vec::new()),
            _ => (self.file.clone(), Vec::new()),
        }
    }

    /// Whether the file is checked as a game.
    pub fn is_game(&self) -> bool {
        self.role != Role::Module
    }

    /// Runs the check; `None` if `stop` was set before its end.
    pub fn run(&self, stop: &Arc<AtomicBool>) -> Option<CheckOutcome> {
        let (main, overlays) = self.texts();
        let report = if self.is_game() {
            let name = main.name.to_string();
            let file = checked(name, &main, &overlays, &self.options, &check::Request::default(), (stop, &|_| {}));
            file.problems.0
        } else {
            rules::load(std::slice::from_ref(&main), &[], &self.options, Expected::Program).report
        };
        // What an interrupt has cut short says nothing about the text.
        let whole = !stop.load(Relaxed) && report.problems.iter().all(|problem| problem.code != Code::Interrupted);
        let (name, role) = (self.file.name.clone(), self.role.clone());
        whole.then_some(CheckOutcome { version: self.version, name, role, report })
    }
}
