//! Inlay hints: what makes rules slow, and which expectations hold.

use crate::lsp::check::CheckJob;
use crate::lsp::convert::position;
use crate::lsp::outcome::{Hint, Hints};
use crate::lsp::state::{OpenFile, Settings};
use alphorn_ide::ide::text::{Document, Encoding};
use alphorn_protocol::protocol::partial::{Expectation, Verdict};
use alphorn_protocol::protocol::test::{self, tested};
use alphorn_protocol::protocol::words::Seconds;
use alphorn_rules::rules::{self, Expected, cost};
use alphorn_session::session::{Budgets, Session};
use alphorn_text::source::Sources;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, MarkupContent, MarkupKind};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Computes the hints of a file; `None` if `stop` was set before the end.
pub fn compute(job: &CheckJob, settings: &Settings, stop: &Arc<AtomicBool>) -> Option<Hints> {
    let mut hints = Vec::new();
    if job.is_game() {
        if settings.cost_hints {
            hints.extend(costs(job));
        }
        if settings.expectation_hints && !stop.load(Relaxed) {
            hints.extend(expectations(job, settings.expectation_seconds, stop));
        }
    }
    hints.sort_by_key(|hint| hint.offset);
    (!stop.load(Relaxed)).then_some(Hints { version: job.version, hints })
}

/// The places that could not be specialised.
fn costs(job: &CheckJob) -> Vec<Hint> {
    let (main, overlays) = job.texts();
    let rules = rules::load(std::slice::from_ref(&main), &overlays, &job.options, Expected::Game);
    if rules.is_broken() {
        return Vec::new();
    }
    let compiled = cost::compiled(&rules);
    let sources = &rules.report.sources;
    let own = compiled.costs.iter().filter_map(|cost| {
        let span = cost.span.filter(|span| is_here(sources, *span, job))?;
        let rule = cost.rule.as_deref().unwrap_or("the program");
        let modes: Vec<String> = cost.modes.iter().map(|modes| format!("({modes})")).collect();
        let called = if modes.is_empty() { String::new() } else { format!(", called as {}", modes.join(" ")) };
        let help = cost.help.as_deref().map_or_else(String::new, |help| format!("\n\n{help}"));
        Some(Hint {
            offset: span.end as usize,
            label: format!("general: {}", cost.reason),
            about: format!("`{rule}`{called}: this place is slow, because the compiler cannot specialise it.{help}"),
        })
    });
    own.collect()
}

fn is_here(sources: &Sources, span: alphorn_text::source::Span, job: &CheckJob) -> bool {
    usize::from(span.source.0) < sources.len() && sources.get(span.source).name == job.file.name
}

/// What testing the expectations shows.
fn expectations(job: &CheckJob, seconds: f64, stop: &Arc<AtomicBool>) -> Vec<Hint> {
    let (main, overlays) = job.texts();
    let opened = Session::open(
        std::slice::from_ref(&main),
        &overlays,
        &job.options,
        Expected::Game,
        Budgets::new(None, None),
        stop.clone(),
    );
    let Ok(session) = opened else { return Vec::new() };
    let request = test::Request { time: Seconds(seconds), ..test::Request::default() };
    let places: Vec<Option<usize>> = session
        .rules
        .claims
        .iter()
        .map(|claim| is_here(&session.rules.report.sources, claim.span, job).then_some(claim.span.end as usize))
        .collect();
    let Ok(found) = tested(main.name.to_string(), &session, &request, stop, &|_| {}) else { return Vec::new() };
    let shown = found.expectations.iter().zip(places);
    shown.filter_map(|(expectation, place)| Some(hint(expectation, place?))).collect()
}

fn hint(expectation: &Expectation, offset: usize) -> Hint {
    let (label, about) = verdict(expectation);
    Hint { offset, label, about }
}

/// The verdict on an expectation in few words, and in more.
pub fn verdict(expectation: &Expectation) -> (String, String) {
    let problem = expectation.problem.as_ref();
    let label = problem.and_then(|problem| problem.places.first()).map(|place| place.label.clone()).unwrap_or_default();
    let message = problem.map(|problem| problem.message.clone()).unwrap_or_default();
    let help = problem.and_then(|problem| problem.help.clone()).map_or_else(String::new, |help| format!("\n\n{help}"));
    let short = if label.is_empty() { message.clone() } else { label };
    match expectation.verdict {
        Verdict::Holds => ("✓ holds".to_string(), "This expectation holds.".to_string()),
        Verdict::Fails => (format!("✗ {short}"), format!("{message}{help}")),
        Verdict::Undecided => ("? not decided in time".to_string(), format!("{message}{help}")),
        Verdict::Faulted => (format!("✗ {short}"), format!("{message}{help}")),
    }
}

/// The hints of an open file in a range of bytes, if they are those of its current text.
pub fn shown(file: &OpenFile, range: &Range<usize>, encoding: Encoding) -> Vec<InlayHint> {
    let current = file.hints.as_ref().filter(|hints| hints.version == file.version);
    let hints = current.iter().flat_map(|hints| &hints.hints);
    let inside = hints.filter(|hint| range.start <= hint.offset && hint.offset <= range.end);
    inside.map(|hint| inlay(hint, &file.document, encoding)).collect()
}

fn inlay(hint: &Hint, document: &Document, encoding: Encoding) -> InlayHint {
    InlayHint {
        position: position(document, hint.offset, encoding),
        label: InlayHintLabel::String(hint.label.clone()),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: hint.about.clone(),
        })),
        padding_left: Some(true),
        padding_right: Some(false),
        data: None,
    }
}
