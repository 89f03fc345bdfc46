//! Turns the problems of a check into the diagnostics of the protocol.

use crate::lsp::convert::Spans;
use crate::lsp::outcome::{CheckOutcome, Role};
use crate::lsp::state::EditorState;
use crate::lsp::uri::uri_of;
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Severity};
use alphorn_text::source::{Origin, Source, Sources, Span, read_text};
use lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range, Uri};
use std::collections::BTreeMap;

/// The text of a span, if the span lies in a text of the report.
pub fn source_of(sources: &Sources, span: Span) -> Option<&Source> {
    (usize::from(span.source.0) < sources.len()).then(|| sources.get(span.source))
}

/// The label of a problem that lies in the checked file. For a problem of several files this is not always
/// the first one.
pub fn label_here<'a>(outcome: &CheckOutcome, problem: &'a Problem) -> Option<&'a (Span, String)> {
    let sources = &outcome.report.sources;
    let here = |span: Span| source_of(sources, span).is_some_and(|source| source.name == outcome.name);
    match outcome.role {
        // The problems of the game itself belong to the file of the game.
        Role::Overlay(_) => problem.labels.iter().find(|(span, _)| here(*span)),
        _ => problem.labels.first().filter(|(span, _)| here(*span)),
    }
}

/// The diagnostics of a check, by the URI of their file.
pub fn diagnostics(state: &EditorState, outcome: &CheckOutcome, own: &Uri) -> BTreeMap<String, Vec<Diagnostic>> {
    let spans = &Spans::new(state, &outcome.report.sources);
    let mut found: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    found.entry(own.as_str().to_string()).or_default();
    for problem in &outcome.report.problems {
        if let Some((span, _)) = label_here(outcome, problem) {
            let own = found.entry(own.as_str().to_string()).or_default();
            own.extend(diagnostic(state, spans, problem, Some(*span)));
        } else if problem.labels.is_empty() {
            // A problem without a place stands in the first line.
            if !matches!(outcome.role, Role::Overlay(_) | Role::Part(_)) {
                let own = found.entry(own.as_str().to_string()).or_default();
                own.extend(diagnostic(state, spans, problem, None));
            }
        } else if outcome.role == Role::Game {
            let (span, _) = problem.labels[0];
            let other = spans.source(span).and_then(|source| location_uri(state, source));
            if let Some(other) = other {
                let list = found.entry(other.as_str().to_string()).or_default();
                list.extend(diagnostic(state, spans, problem, Some(span)));
            }
        }
    }
    found
}

/// The URI of a text: that of an open file, of a file on disk, or of a library text that was written out.
pub fn location_uri(state: &EditorState, source: &Source) -> Option<Uri> {
    match &source.origin {
        Origin::File(path) => {
            let open = state.files.values().find(|file| file.path.as_deref() == Some(path));
            open.map(|file| file.uri.clone()).or_else(|| uri_of(path))
        }
        Origin::Typed => state.files.get(&*source.name).map(|file| file.uri.clone()),
        Origin::Library => {
            let path = state.library_folder.as_ref()?.join(&*source.name);
            let most = source.text.len() as u64;
            let written = read_text(&path, most, "bytes").is_ok_and(|text| text == *source.text);
            if !written {
                std::fs::create_dir_all(path.parent()?).ok()?;
                std::fs::write(&path, source.text.as_bytes()).ok()?;
            }
            uri_of(&path)
        }
    }
}

fn diagnostic(state: &EditorState, spans: &Spans<'_>, problem: &Problem, span: Option<Span>) -> Option<Diagnostic> {
    let bounded = problem.bounded();
    let range = match span {
        Some(span) => spans.range(span)?,
        None => Range::default(),
    };
    let label = bounded.labels.iter().find(|(other, _)| Some(*other) == span);
    let mut message = bounded.message.clone();
    if let Some((_, label)) = label.filter(|(_, label)| !label.is_empty()) {
        message.push_str(&format!(": {label}"));
    }
    if let Some(help) = &bounded.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let related = bounded.labels.iter().filter(|(other, _)| Some(*other) != span).filter_map(|(other, label)| {
        let uri = location_uri(state, spans.source(*other)?)?;
        let location = Location { uri, range: spans.range(*other)? };
        let message = if label.is_empty() { "see also".to_string() } else { label.clone() };
        Some(DiagnosticRelatedInformation { location, message })
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    Some(Diagnostic {
        range,
        severity: Some(match problem.level {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: (problem.code != Code::None).then(|| NumberOrString::String(problem.code.to_string())),
        source: Some("alphorn".to_string()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    })
}
