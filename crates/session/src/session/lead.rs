//! Leads a report with the place of the mistake, if a small edit shows it.
//!
//! The first problem of a report may show far from its mistake. If the problem is gone and every expectation holds
//! after a small edit, the edited place is marked; if only one edit does that, the place comes first, and what follows
//! from the mistake is left out.

use super::Budgets;
use super::trials::{ALL, Cause, Scope, fitting, has, has_new, problems_after, problems_after_changes};
use alphorn_rules::rules::Rules;
use alphorn_rules::rules::small_edit::{EditKind, SmallEdit};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Report, Severity, plural};
use alphorn_text::source::Span;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The time of all trials for a warning that is frequent while a game is being written.
const BRIEF: Duration = Duration::from_secs(1);

/// The words at places that fail because of a mistake elsewhere.
const CONSEQUENCES: [&str; 2] = ["this goal fails", "this head matches no call"];

/// Whether the first problem of a report may show far from its mistake.
pub fn may_explain(report: &Report) -> bool {
    let suspicions = ["A0301", "A0309", "A031", "A0509", "A060", "A0613"];
    report.problems.first().is_some_and(|problem| {
        !problem.labels.is_empty() && suspicions.iter().any(|code| problem.code.text().starts_with(code))
    })
}

/// Adds the places of small edits to the first problem of a report, if after each of these edits the problem is gone
/// and every expectation holds. Adds no place that the problem marks already.
pub fn explain(report: &mut Report, rules: &Rules, budgets: Budgets, stop: &Arc<AtomicBool>) {
    if !may_explain(report) || rules.is_broken() {
        return;
    }
    let first = &report.problems[0];
    // A brief look does not find each problem of long play.
    let Some(before) = problems_after(rules, None, budgets, stop).filter(|before| has(before, first)) else { return };
    remove_refuted_guess(&mut report.problems[0], rules, &before, (budgets, stop));
    let first = &report.problems[0];
    let near: Vec<Span> = first.labels.iter().map(|(span, _)| *span).collect();
    let place = first.labels[0].0;
    // A variable that occurs once is missing in its own clause.
    let is_singleton = first.code == Code::SingletonVariable;
    let wanted = |edit: &SmallEdit| !is_singleton || edit.kind == EditKind::Variable && edit.clause.contains(place);
    // Random play found an error that no expectation may show.
    let is_error = first.code.text().starts_with("A06");
    let time = if is_singleton { BRIEF } else { ALL };
    let scope = Scope { blamed: false, near: &near, failing: None, wanted: &wanted, always: is_error, time };
    let mut found = fitting(rules, (budgets, stop), &scope, &|edit, stop| {
        let after = problems_after(rules, Some(edit), budgets, stop);
        after.is_some_and(|after| !has(&after, first) && !has_new(&after, &report.problems))
    });
    // If the problem is in the right clause, edits of other clauses only distract.
    let is_own = |edit: &SmallEdit| edit.clause.contains(place);
    let has_own = found.edits.iter().any(is_own);
    found.edits.retain(|edit| !has_own || is_own(edit));
    let marked: Vec<Cause> = {
        let is_new = |(span, _): &Cause| !place.contains(*span) && !span.contains(place);
        found.causes().filter(is_new).collect()
    };
    let edit = match &found.edits[..] {
        [edit] => problems_after(rules, Some(edit), budgets, stop).map(|after| (edit, after)),
        _ => None,
    };
    match (edit, &marked[..]) {
        (Some((edit, after)), [cause]) => lead_with(report, cause, &GoneProblems { edit, before: &before, after }),
        (Some((edit, after)), []) => {
            // The edit is at the place of the problem itself, and says more than its advice.
            let cause = found.causes().find(|(span, _)| place.contains(*span) || span.contains(place));
            if let (Some((span, words)), true) = (cause, report.problems[0].labels[0].1.is_empty()) {
                report.problems[0].labels[0].1 = words;
                remove_advice(&mut report.problems[0], &[span]);
            }
            remove_gone(report, &GoneProblems { edit, before: &before, after });
        }
        _ => {
            // No edit at the place of the problem fits, so its advice is wrong.
            if !marked.is_empty() && marked.len() == found.edits.len() {
                let places: Vec<Span> = marked.iter().map(|(span, _)| *span).collect();
                remove_advice(&mut report.problems[0], &places);
            }
            report.problems[0].labels.extend(marked);
        }
    }
}

/// The words before the guess in a help.
const GUESS: &str = "did you mean ";

/// Removes the guess of a problem if the rules have a new problem after it.
fn remove_refuted_guess(
    problem: &mut Problem,
    rules: &Rules,
    before: &[Problem],
    (budgets, stop): (Budgets, &Arc<AtomicBool>),
) {
    let Some((guess, rest)) = problem.help.as_ref().and_then(|help| help.split_once("? ")) else { return };
    let Some(word) = guess.strip_prefix(GUESS).filter(|word| !word.contains('\n')) else { return };
    // The edit of a variable that occurs once is not its guess.
    let is_singleton = problem.code == Code::SingletonVariable;
    let changes = match is_singleton {
        true => vec![(problem.labels[0].0, word.to_string())],
        false => problem.edits.clone(),
    };
    // An imported file cannot be changed for a trial.
    if changes.is_empty() || rules.changed(&changes, false).is_none() {
        return;
    }
    let after = problems_after_changes(rules, &changes, budgets, stop);
    if after.is_none_or(|after| has_new(&after, before)) {
        problem.help = Some(rest.to_string());
        if !is_singleton {
            problem.edits.clear();
            problem.other_edit = None;
        }
    }
}

/// Puts the place of the only edit that fits first, and removes what fails because of the mistake, and its advice.
fn lead_with(report: &mut Report, cause: &Cause, gone: &GoneProblems<'_>) {
    let first = &mut report.problems[0];
    remove_advice(first, &[cause.0]);
    first.labels.retain(|(span, _)| *span != cause.0);
    first.labels.insert(0, cause.clone());
    remove_gone(report, gone);
}

/// Removes the goals of a problem that fail, and its advice, because it follows from a mistake at other places, the
/// `causes`. A goal that contains such a place stays.
pub fn remove_advice(problem: &mut Problem, causes: &[Span]) {
    let is_cause = |span: &Span| causes.iter().any(|cause| span.contains(*cause));
    problem.labels.retain(|(span, words)| !CONSEQUENCES.contains(&words.as_str()) || is_cause(span));
    let help = problem.help.take().unwrap_or_default();
    let kept: Vec<&str> =
        help.lines().filter(|line| line.starts_with("while ") || line.starts_with("after ")).collect();
    problem.help = Some(kept.join("\n")).filter(|help| !help.is_empty());
}

/// The problems that a brief look finds before and after an edit.
struct GoneProblems<'a> {
    edit: &'a SmallEdit,
    before: &'a [Problem],
    after: Vec<Problem>,
}

/// Removes the problems that are gone after the only edit that fits. The first error stays, so that the report has one.
fn remove_gone(report: &mut Report, gone: &GoneProblems<'_>) {
    let count = report.problems.len();
    let mut has_error = false;
    let mut at = 0;
    report.problems.retain(|problem| {
        at += 1;
        let is_first_error = problem.level == Severity::Error && !has_error;
        has_error |= problem.level == Severity::Error;
        let is_gone = has(gone.before, problem) && !has(&gone.after, problem);
        at == 1 || is_first_error || problem.level == Severity::Note || !is_gone
    });
    let removed = count - report.problems.len();
    if removed > 0 {
        let others = plural(removed as u64, "other problem is", "other problems are");
        let first = &mut report.problems[0];
        let help = first.help.take().map_or_else(String::new, |help| format!("{help}\n"));
        first.help = Some(format!("{help}{others} gone if {}, and not shown", gone.edit.condition));
    }
}
