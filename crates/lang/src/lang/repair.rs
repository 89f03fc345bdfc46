//! Finds the edits that repair quotes, brackets and missing commas. An edit is kept only if the clause can be read
//! after it.
//!
//! Where a quote or a bracket should end is a guess. The input is the problem of an unreadable clause;
//! the output is the same problem with edits that hold.

use crate::lang::lexer::words;
use crate::lang::ops::Ops;
use crate::lang::parse;
use crate::lang::pasted;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::Span;
use std::ops::Range;

/// The number of places at which a quote may end.
const MOST_PLACES: usize = 8;

/// Longer clauses, in bytes, have no edits for their quotes and brackets.
const LONGEST_CLAUSE: usize = 16 << 10;

/// The operator of other languages for two meanings: numbers that differ, and terms that differ.
const UNEQUAL: &str = "!=";

/// A change of a text that may repair it.
struct Candidate {
    edit: (Span, String),
    /// Whether no other repair is as likely.
    certain: bool,
}

/// Sets the edits of a problem with quotes or brackets in the clause of these bytes.
pub(super) fn verify_edits(problem: &mut Problem, text: &str, clause: Range<usize>, ops: &Ops) {
    if let Some(candidates) = candidates(problem, text) {
        let readable = |candidate: &Candidate| reads(text, clause.clone(), &candidate.edit, ops);
        let short = clause.len() <= LONGEST_CLAUSE;
        let found = candidates.into_iter().find(|candidate| short && readable(candidate));
        problem.edits = found.filter(|found| found.certain).map(|found| found.edit).into_iter().collect();
        let place = problem
            .labels
            .first()
            .map(|label| label.0)
            .filter(|span| &text[span.start as usize..span.end as usize] == UNEQUAL);
        problem.other_edit =
            place.filter(|_| !problem.edits.is_empty()).map(|place| Box::new((place, "\\==".to_string())));
    }
}

/// The possible repairs, the most likely first; `None` if the problem is of another kind.
fn candidates(problem: &Problem, text: &str) -> Option<Vec<Candidate>> {
    let place = problem.labels.first()?.0;
    let word = &text[place.start as usize..place.end as usize];
    let certain = |edit| Candidate { edit, certain: true };
    match problem.code {
        Code::UnmatchedBracket => {
            let (span, bracket) = problem.edits.first()?.clone();
            // A bracket of another kind stands for the right one, or the right one is missing beside it.
            let instead = (!bracket.is_empty() && span != place && problem.labels.len() > 1)
                .then(|| certain((place, bracket.clone())));
            Some([certain((span, bracket))].into_iter().chain(instead).collect())
        }
        Code::UnexpectedWord if word == UNEQUAL => Some(vec![certain((place, "=\\=".to_string()))]),
        // A goal on a new line needs a comma before it. On one line, an operator may be missing.
        Code::UnexpectedWord if problem.help.as_ref().is_some_and(|help| help.starts_with("`,` ")) => {
            let before = text[..place.start as usize].trim_end();
            let at = Span { start: before.len() as u32, end: before.len() as u32, ..place };
            let is_line = text[before.len()..place.start as usize].contains('\n');
            Some(is_line.then(|| certain((at, ",".to_string()))).into_iter().collect())
        }
        Code::UnclosedQuote if !pasted::is_fence(word) => Some(ends_of_quote(word, place)),
        Code::MalformedNumber if problem.help.as_ref().is_some_and(|help| help.starts_with("write \\\\ ")) => {
            let backslash = |(at, _): (usize, &str)| {
                let at = place.start + at as u32;
                certain((Span { start: at, end: at, ..place }, "\\".to_string()))
            };
            Some(word.match_indices('\\').take(MOST_PLACES).map(backslash).collect())
        }
        _ => None,
    }
}

/// The places at which an unclosed quote may end: before each comma, closing bracket and full stop.
fn ends_of_quote(word: &str, place: Span) -> Vec<Candidate> {
    let Some(quote) = word.chars().next() else { return Vec::new() };
    let ends = word.char_indices().skip(1).filter(|(at, c)| match c {
        ',' | ')' | ']' | '}' | '|' | ';' => true,
        '.' => word[at + 1..].trim_start() == "" || word[at + 1..].starts_with(char::is_whitespace),
        _ => false,
    });
    let candidate = |(at, c): (usize, char)| {
        let inside = word[..at].trim_end();
        // What follows a comma may belong to the text: 'first, second
        let prose = c == ',' && word[at + 1..].trim_start().starts_with(char::is_lowercase);
        let end = place.start + inside.len() as u32;
        (inside.len() > 1)
            .then(|| Candidate { edit: (Span { start: end, end, ..place }, quote.to_string()), certain: !prose })
    };
    let whole = word.trim_end();
    let all = ends.chain([(whole.len(), '\n')]);
    all.filter_map(candidate).take(MOST_PLACES).collect()
}

/// Whether each clause in a range of a text can be read after an edit.
fn reads(text: &str, range: Range<usize>, edit: &(Span, String), ops: &Ops) -> bool {
    let (span, new) = edit;
    let (start, end) = (span.start as usize, span.end as usize);
    if start < range.start || end > range.end {
        return false;
    }
    let changed = [&text[range.start..start], new, &text[end..range.end]].concat();
    let mut from = 0;
    loop {
        let words = words(span.source, &changed, from);
        if words.tokens.is_empty() {
            return words.stop.is_none();
        }
        if words.stop.is_none() || parse::sentence(&words.tokens, ops, words.tokens[0].span).is_err() {
            return false;
        }
        from = words.next;
    }
}
