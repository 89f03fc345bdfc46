//! Drops edits that would cause other errors.
//!
//! The reader guesses where a quote or a bracket should end, and knows only that the clause can then be read.
//! The rules are loaded again with each guess: it may still give a predicate a wrong number of arguments.

use alphorn_text::code::Code;
use alphorn_text::report::{Problem, Report, Severity};
use alphorn_text::source::Span;

/// The number of guesses that are tried.
const MOST_GUESSES: usize = 3;

/// The limit of a text that is loaded again, in bytes.
const LONGEST_TEXT: usize = 256 << 10;

/// The report of the rules after changes of a text; `None` if the text cannot be changed.
pub(super) type Again<'a> = &'a dyn Fn(&[(Span, String)]) -> Option<Report>;

/// Removes the edits of quotes and brackets that cause new errors. `again` loads the rules after changes of a text.
pub(super) fn verify(report: &mut Report, again: Again<'_>) {
    let is_guess = |problem: &Problem| {
        matches!(problem.code, Code::UnmatchedBracket | Code::UnclosedQuote) && problem.edits.len() == 1
    };
    let guesses: Vec<usize> = (0..report.problems.len())
        .filter(|at| is_guess(&report.problems[*at]))
        .take(MOST_GUESSES)
        .filter(|at| causes_errors(report, *at, again))
        .collect();
    for at in guesses {
        report.problems[at].edits.clear();
    }
}

/// Whether an error appears after the edit of a problem.
fn causes_errors(report: &Report, at: usize, again: Again<'_>) -> bool {
    let edits = report.problems[at].edits.as_slice();
    let [(span, _)] = edits else { return false };
    if report.sources.get(span.source).text.len() > LONGEST_TEXT {
        return false;
    }
    let error = |problem: &&Problem| problem.level == Severity::Error;
    let is_known = |found: &Problem| {
        let same = |known: &Problem| (known.code, &known.message) == (found.code, &found.message);
        report.problems.iter().filter(error).any(same)
    };
    again(edits).is_some_and(|found| found.problems.iter().filter(error).any(|found| !is_known(found)))
}
