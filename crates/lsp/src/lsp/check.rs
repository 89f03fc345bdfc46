//! Checks an open file as the command line does.
//!
//! A [`CheckJob`] is a copy of everything that a check needs, so it runs on another thread.

use crate::lsp::outcome::{CheckOutcome, Role};
use alphorn_lang::lang::ProgramOptions;
use alphorn_lang::lang::kept::KeptSentences;
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
    /// The sentences of the last texts of the file.
    pub kept: KeptSentences,
}

/// A file with more bytes has early diagnostics: its check takes long enough to wait for.
const LONG: usize = 64 << 10;

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

    /// Whether the file has early diagnostics.
    pub fn is_long(&self) -> bool {
        self.file.text.len() > LONG
    }

    fn kept_options(&self) -> ProgramOptions {
        ProgramOptions { kept: Some(self.kept.clone()), ..self.options.clone() }
    }

    /// What reading the texts finds.
    pub fn read(&self) -> Report {
        let (main, overlays) = self.texts();
        let expected = if self.is_game() { Expected::Game } else { Expected::Program };
        rules::read(std::slice::from_ref(&main), &overlays, &self.kept_options(), expected)
    }

    /// Runs the check; `None` if `stop` was set before its end.
    pub fn run(&self, stop: &Arc<AtomicBool>) -> Option<CheckOutcome> {
        let ((main, overlays), options) = (self.texts(), self.kept_options());
        let report = if self.is_game() {
            let name = main.name.to_string();
            checked(name, &main, &overlays, &options, &check::Request::default(), (stop, &|_| {})).problems.0
        } else {
            rules::load(std::slice::from_ref(&main), &[], &options, Expected::Program).report
        };
        // What an interrupt has cut short says nothing about the text.
        let whole = !stop.load(Relaxed) && report.problems.iter().all(|problem| problem.code != Code::Interrupted);
        let (name, role) = (self.file.name.clone(), self.role.clone());
        whole.then_some(CheckOutcome { version: self.version, name, role, report })
    }
}
