//! Code actions: the edits that diagnostics suggest.

use crate::lsp::convert::{Spans, bytes};
use crate::lsp::diagnostic::{label_here, location_uri};
use crate::lsp::outcome::CheckOutcome;
use crate::lsp::state::{EditorState, OpenFile};
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use lsp_types::{CodeAction, CodeActionKind, Diagnostic, Range, TextEdit, Uri, WorkspaceEdit};
use std::collections::HashMap;

/// The kind of the action that makes all fixes of a file.
pub const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.alphorn");

/// The code actions for a range of an open file. `given` are the diagnostics that the client shows there.
pub fn actions(state: &EditorState, file: &OpenFile, range: Range, given: &[Diagnostic]) -> Vec<CodeAction> {
    let Some(outcome) = file.checked.as_ref().filter(|outcome| outcome.version == file.version) else {
        return Vec::new();
    };
    let wanted = bytes(&file.document, range, state.encoding);
    let mut found = Vec::new();
    for problem in fixable(outcome) {
        let Some((span, _)) = label_here(outcome, problem) else { continue };
        let touches = span.start as usize <= wanted.end && wanted.start <= span.end as usize;
        let Some(edit) = edit(state, outcome, &problem.edits) else { continue };
        if !touches {
            continue;
        }
        let code = problem.code.to_string();
        let shown = given.iter().filter(|one| {
            let same = matches!(&one.code, Some(lsp_types::NumberOrString::String(known)) if *known == code);
            same && one.message.starts_with(&problem.bounded().message)
        });
        let shown: Vec<Diagnostic> = shown.cloned().collect();
        let action = |title: String, edit, is_preferred| CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: (!shown.is_empty()).then(|| shown.clone()),
            edit: Some(edit),
            is_preferred: Some(is_preferred),
            ..CodeAction::default()
        };
        found.push(action(title(outcome, problem), edit, true));
        if let [(_, text)] = problem.other_edits()
            && let Some(edit) = self::edit(state, outcome, problem.other_edits())
        {
            found.push(action(format!("Write {text}"), edit, false));
        }
    }
    let all: Vec<&Problem> = compatible(outcome);
    let edits: Vec<(Span, String)> = all.iter().flat_map(|problem| problem.edits.clone()).collect();
    if all.len() > 1
        && let Some(edit) = edit(state, outcome, &edits)
    {
        found.push(CodeAction {
            title: format!("Fix {} problems", all.len()),
            kind: Some(FIX_ALL),
            edit: Some(edit),
            ..CodeAction::default()
        });
    }
    found
}

/// The problems with edits.
fn fixable(outcome: &CheckOutcome) -> impl Iterator<Item = &Problem> {
    outcome.report.problems.iter().filter(|problem| !problem.edits.is_empty())
}

/// The problems of the file whose edits do not touch each other. The user chooses where two fixes are
/// possible.
fn compatible(outcome: &CheckOutcome) -> Vec<&Problem> {
    let mut taken: Vec<Span> = Vec::new();
    let mut found: Vec<&Problem> = Vec::new();
    let sure = |problem: &&Problem| problem.other_edit.is_none() && label_here(outcome, problem).is_some();
    for problem in fixable(outcome).filter(sure) {
        let touches =
            |one: Span| taken.iter().any(|t| t.source == one.source && t.start <= one.end && one.start <= t.end);
        if problem.edits.iter().any(|(span, _)| touches(*span)) {
            continue;
        }
        taken.extend(problem.edits.iter().map(|(span, _)| *span));
        found.push(problem);
    }
    found
}

/// The words of an action: what the help says, or what the edit writes.
fn title(outcome: &CheckOutcome, problem: &Problem) -> String {
    if let ([(span, new)], Some(_)) = (&problem.edits[..], &problem.other_edit) {
        return format!("Change {} to {new}", outcome.report.sources.text(*span));
    }
    if let [(span, new)] = &problem.edits[..]
        && span.start == span.end
        && new.trim().len() == 1
    {
        return format!("Add `{}`", new.trim());
    }
    let help = problem.help.as_deref().unwrap_or_default();
    let (first, _) = help.split_once('\n').unwrap_or((help, ""));
    if let Some(meant) = first.strip_prefix("did you mean ").and_then(|rest| rest.strip_suffix('?')) {
        return format!("Change to {meant}");
    }
    let mut title: String = if first.is_empty() { format!("Fix: {}", problem.message) } else { first.to_string() };
    if let Some((at, _)) = title.char_indices().nth(100) {
        title.truncate(at);
        title.push_str("...");
    }
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Edits in the words of the protocol; `None` if one of the texts cannot be edited.
fn edit(state: &EditorState, outcome: &CheckOutcome, edits: &[(Span, String)]) -> Option<WorkspaceEdit> {
    let spans = Spans::new(state, &outcome.report.sources);
    #[allow(clippy::mutable_key_type, reason = "the protocol uses URIs as keys")]
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (span, text) in edits {
        let uri = location_uri(state, spans.source(*span)?)?;
        let edit = TextEdit { range: spans.range(*span)?, new_text: text.clone() };
        changes.entry(uri).or_default().push(edit);
    }
    Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}
