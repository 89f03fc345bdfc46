//! Tests the edits in diagnostics: changes of a text that fix a problem.
//!
//! The input is `tests/problems/*.pl`, and a text for each kind of edit. The test makes each edit and loads
//! the new text.

use crate::problems::{GAME, files};
use alphorn::code::Code;
use alphorn::lang::ProgramOptions;
use alphorn::report::{Problem, Report, Severity};
use alphorn::rules::{Expected, load};
use alphorn::source::{Origin, Source};
use std::collections::BTreeSet;

/// The report of a text.
fn check(name: &str, text: &str) -> Report {
    let source = Source { name: name.into(), text: text.into(), origin: Origin::File(name.into()) };
    load(&[source], &[], &ProgramOptions::default(), Expected::Game).report
}

/// Files in which a problem hides another problem, which appears after the edits: file, problem, hidden
/// problem.
const HIDING: &[(&str, &str, &str)] =
    &[("bad_directive.pl", "tabel is not a directive", "reach/2 is tabled but not defined")];

/// A text after the edits of a problem.
fn edited(text: &str, problem: &Problem) -> String {
    let mut edits = problem.edits.clone();
    edits.sort_unstable_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = text.to_string();
    for (span, instead) in edits {
        text.replace_range(span.start as usize..span.end as usize, &instead);
    }
    text
}

/// The problems whose edits do not help, as text, and the number of problems with edits.
fn edits_that_fail(name: &str, text: &str) -> (Vec<String>, usize) {
    let named = |report: &Report, level: Severity| {
        let of_level = report.problems.iter().filter(move |problem| problem.level == level);
        of_level.map(|problem| (problem.code, problem.message.clone())).collect::<Vec<_>>()
    };
    let before = check(name, text);
    let mut bad = Vec::new();
    let with_edits = before.problems.iter().filter(|problem| !problem.edits.is_empty());
    for problem in with_edits.clone() {
        let after = check(name, &edited(text, problem));
        let same = |report: &Report| {
            report
                .problems
                .iter()
                .filter(|other| (other.code, &other.message) == (problem.code, &problem.message))
                .count()
        };
        let known = named(&before, Severity::Error);
        let hidden = |(_, message): &(Code, String)| {
            HIDING
                .iter()
                .any(|(file, hides, hidden)| name.ends_with(file) && problem.message == *hides && message == hidden)
        };
        let new: Vec<_> = named(&after, Severity::Error)
            .into_iter()
            .filter(|error| !known.contains(error) && !hidden(error))
            .collect();
        if same(&after) >= same(&before) || !new.is_empty() {
            bad.push(format!(
                "{name}: {} {}: {:?} leaves {:?}, new {new:?}",
                problem.code,
                problem.message,
                problem.edits,
                same(&after)
            ));
        }
    }
    (bad, with_edits.count())
}

#[test]
fn the_edits_of_a_problem_make_it_disappear_and_no_error_appear() {
    let (mut bad, mut codes, mut count) = (Vec::new(), BTreeSet::new(), 0);
    for path in files() {
        let name = path.to_str().expect("names are UTF-8");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let text = text.trim_start_matches('\u{feff}');
        let (wrong, with_edits) = edits_that_fail(name, text);
        bad.extend(wrong);
        count += with_edits;
        codes.extend(
            check(name, text)
                .problems
                .iter()
                .filter(|problem| !problem.edits.is_empty())
                .map(|problem| problem.code.text()),
        );
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    let wanted = ["A0101", "A0102", "A0106", "A0107", "A0201", "A0209", "A0301", "A0507"];
    let lacking: Vec<_> = wanted.iter().filter(|code| !codes.contains(*code)).collect();
    assert!(lacking.is_empty() && count >= 20, "{count} problems have edits; none of the codes {lacking:?}");
}

#[test]
fn each_kind_of_edit_says_what_to_type() {
    for (wrong, right) in [
        ("p(X) :- membr(X, [a]).\n", "p(X) :- member(X, [a]).\n"),
        ("p(X, Y) :- q(X).\nq(a).\n", "p(X, _Y) :- q(X).\nq(a).\n"),
        ("p(X, Y) :- q(X, _Y).\nq(a, _).\n", "p(X, _) :- q(X, _Y).\nq(a, _).\n"),
        ("p(a)\nq(b).\n", "p(a).\nq(b).\n"),
        ("p(a)", "p(a)."),
        (":- tabel(p/1).\np(a).\n", ":- table(p/1).\np(a).\n"),
        (":- use_module(library(grd)).\n", ":- use_module(library(grid)).\n"),
        ("p(X) :- X = 'an atom.\n", "p(X) :- X = 'an atom'.\n"),
        ("p(X) :- X = [\"a text].\n", "p(X) :- X = [\"a text\"].\n"),
        ("p(X) <- q(X).\nq(a).\n", "p(X) :- q(X).\nq(a).\n"),
        ("p(X) :- X <= 3.\n", "p(X) :- X =< 3.\n"),
        ("p(X) :- q(X) and q(X).\nq(a).\n", "p(X) :- q(X) , q(X).\nq(a).\n"),
        ("p(X) :- q((X).\nq(a).\n", "p(X) :- q((X)).\nq(a).\n"),
        ("p(X :- q(X).\nq(a).\n", "p(X) :- q(X).\nq(a).\n"),
        ("p(X) :- q(X),.\nq(a).\n", "p(X) :- q(X).\nq(a).\n"),
        ("p(a,,b).\n", "p(a,b).\n"),
        ("p :- q(bleu).\nq(blue).\n", "p :- q(blue).\nq(blue).\n"),
        (":- expect(valu = 3).\n", ":- expect(value = 3).\n"),
        (":- expect(value = max).\n", ":- expect(value = win(max)).\n"),
    ] {
        let text = format!("{GAME}{wrong}");
        let report = check("game.pl", &text);
        let problem = report.problems.iter().find(|problem| !problem.edits.is_empty());
        let problem = problem.unwrap_or_else(|| panic!("{wrong:?} has no edit: {:?}", report.problems));
        assert_eq!(edited(&text, problem), format!("{GAME}{right}"));
        let (bad, _) = edits_that_fail("game.pl", &text);
        assert!(bad.is_empty(), "{}", bad.join("\n"));
    }
}

/// Regression test: the edit for a misspelt variable wrote `_Lft`, and arithmetic then needed `_Lft`.
#[test]
fn a_variable_that_arithmetic_needs_was_renamed_to_an_anonymous_one() {
    let text = format!("{GAME}p(N, M) :- Left is N - 1, Left > 0, M is Lft.\n");
    let report = check("game.pl", &text);
    let codes: Vec<Code> = report.problems.iter().map(|problem| problem.code).collect();
    assert!(codes.contains(&Code::UnboundInArithmetic), "{codes:?}");
    let single = report.problems.iter().find(|problem| problem.code == Code::SingletonVariable);
    let single = single.expect("the variable occurs once");
    assert_eq!((single.edits.len(), single.help.as_deref()), (0, Some("did you mean Left?")));
}
