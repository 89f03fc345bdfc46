//! Prints diagnostics for other programs: as annotations of GitHub Actions, or as SARIF.
//!
//! A command collects the problems of its reply in `Annotations` and prints them at its end. The positions
//! here are lines and columns, because neither format knows the bytes of a text.

mod github;
mod places;
mod sarif;

use crate::cli::output::Out;
use alphorn_text::printable::{line, lines};
use alphorn_text::report::{Problem, Report, Severity};
use alphorn_text::source::Sources;
use clap::{Args, ValueEnum};
use places::{Base, Place, Region};
use std::collections::HashSet;
use std::ffi::OsString;

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiagnosticFormat {
    /// Text with pictures of the places
    Text,
    /// One JSON object, as with --json
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0
    Sarif,
}

/// The option `--format` of commands that print diagnostics.
#[derive(Args, Clone, Debug)]
pub struct FormatOption {
    /// Output format: text, one JSON object, annotations of GitHub Actions, or SARIF 2.1.0
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    pub format: DiagnosticFormat,
}

impl FormatOption {
    /// An empty list of annotations if another program reads the output; `None` for text and JSON.
    pub(super) fn annotations(&self, command: &'static str) -> Option<Annotations> {
        let printer: fn(&Annotations, u8) -> String = match self.format {
            DiagnosticFormat::Text | DiagnosticFormat::Json => return None,
            DiagnosticFormat::Github => github::commands,
            DiagnosticFormat::Sarif => sarif::log,
        };
        Some(Annotations { command, printer, base: Base::of_environment(), found: Vec::new(), seen: HashSet::new() })
    }
}

/// Whether typed arguments have `--format json` for a command that prints diagnostics, and `--json` elsewhere.
pub(super) fn ask_for_json(typed: &[OsString]) -> bool {
    let command = typed.get(1).is_some_and(|name| ["check", "test", "fmt"].iter().any(|command| name == command));
    let pair = |pair: &[OsString]| pair[0] == "--format" && pair[1] == "json";
    command && (typed.windows(2).any(pair) || typed.iter().any(|arg| arg == "--format=json"))
}

/// The rule of files that are not formatted.
const FORMAT_RULE: &str = "format";

/// The diagnostics of a command.
pub(super) struct Annotations {
    /// The name of the command.
    command: &'static str,
    printer: fn(&Annotations, u8) -> String,
    base: Base,
    found: Vec<Annotation>,
    /// What was added, because files that include the same file have its problems in common.
    seen: HashSet<(Option<&'static str>, String, Option<Place>)>,
}

/// One diagnostic.
#[derive(Clone, Debug)]
struct Annotation {
    /// The code, or [`FORMAT_RULE`]; `None` for advice.
    rule: Option<&'static str>,
    level: Severity,
    message: String,
    help: Option<String>,
    /// The place of the mistake; `None` if the mistake is in no file.
    place: Option<Place>,
    /// The places of the causes, with their labels.
    causes: Vec<(Place, String)>,
    edits: Vec<(Place, String)>,
}

impl Annotations {
    /// Adds the problems of a report. A problem without a place belongs to `file`.
    pub(super) fn add(&mut self, report: &Report, file: &str) {
        for problem in &report.problems {
            self.push(self.annotation(problem, &report.sources, file));
        }
    }

    /// Adds a remark about a file.
    pub(super) fn remark(&mut self, file: &str, level: Severity, message: &str) {
        self.push(Annotation {
            rule: None,
            level,
            message: line(message).into_owned(),
            help: None,
            place: self.base.file(file),
            causes: Vec::new(),
            edits: Vec::new(),
        });
    }

    /// Adds a file that is not formatted. The report has one problem, whose edits format the file.
    pub(super) fn unformatted(&mut self, report: &Report, file: &str) {
        for problem in &report.problems {
            let found = self.annotation(problem, &report.sources, file);
            self.push(Annotation { rule: Some(FORMAT_RULE), level: Severity::Error, ..found });
        }
    }

    /// Prints the annotations. `status` is the exit status of the command.
    pub(super) fn print(&self, status: u8, out: &Out) {
        out.print(&(self.printer)(self, status));
    }

    fn push(&mut self, annotation: Annotation) {
        if self.seen.insert((annotation.rule, annotation.message.clone(), annotation.place.clone())) {
            self.found.push(annotation);
        }
    }

    fn annotation(&self, problem: &Problem, sources: &Sources, file: &str) -> Annotation {
        let problem = problem.bounded();
        let mut message = line(&problem.message).into_owned();
        let (first, others) = match problem.labels.split_first() {
            Some((first, others)) => (Some(first), others),
            None => (None, &[][..]),
        };
        let mut place = None;
        if let Some((span, label)) = first {
            if !label.is_empty() {
                message.push_str(&format!(": {}", line(label)));
            }
            place = self.base.place(*span, sources);
            if place.is_none() {
                // The place of a typed text or of a library is no place in a file of the user.
                message.push_str(&format!(" ({})", places::written(*span, sources)));
            }
        }
        let located = |(span, text): &_| Some((self.base.place(*span, sources)?, String::clone(text)));
        let labelled = |(place, label): (Place, String)| (place, line(&label).into_owned());
        Annotation {
            rule: Some(problem.code.text()).filter(|code| !code.is_empty()),
            // Advice without a code is a note, as in drawings.
            level: if problem.code.text().is_empty() { Severity::Note } else { problem.level },
            message,
            help: problem.help.as_ref().map(|help| lines(help).into_owned()),
            place: place.or_else(|| self.base.file(file)),
            causes: others.iter().filter_map(located).map(labelled).collect(),
            edits: problem.edits.iter().filter_map(located).collect(),
        }
    }
}
