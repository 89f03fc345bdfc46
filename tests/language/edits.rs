//! Tests the edits in diagnostics: changes of a text that fix a problem.
//!
//! The input is `tests/problems/*.pl`, `tests/broken/*.pl`, and a text for each kind of edit. The test makes
//! each edit, and all edits that do not touch each other, and loads the new text.

use crate::problems::GAME;
use alphorn::code::Code;
use alphorn::lang::ProgramOptions;
use alphorn::report::{Problem, Report, Severity};
use alphorn::rules::{Expected, load};
use alphorn::source::{Origin, Source, Span};
use std::collections::BTreeMap;

/// The report of a text.
fn check(name: &str, text: &str) -> Report {
    let source = Source { name: name.into(), text: text.into(), origin: Origin::File(name.into()) };
    load(&[source], &[], &ProgramOptions::default(), Expected::Game).report
}

/// Files in which a problem hides another problem, which appears after the edits: file, problem, hidden
/// problem.
const HIDING: &[(&str, &str, &str)] =
    &[("bad_directive.pl", "tabel is not a directive", "reach/2 is tabled but not defined")];

/// A text after edits.
fn edited(text: &str, edits: &[(Span, String)]) -> String {
    let mut edits = edits.to_vec();
    edits.sort_unstable_by_key(|(span, _)| std::cmp::Reverse((span.start, span.end)));
    let mut text = text.to_string();
    for (span, instead) in edits {
        text.replace_range(span.start as usize..span.end as usize, &instead);
    }
    text
}

/// The codes and messages of the problems of a report, with their severity.
fn named(report: &Report, level: Severity) -> Vec<(Code, &str)> {
    let of_level = report.problems.iter().filter(|problem| problem.level == level);
    of_level.map(|problem| (problem.code, problem.message.as_str())).collect()
}

/// Why the edits of some problems do not help; `None` if these problems disappear and no error appears.
fn failure(name: &str, text: &str, before: &Report, problems: &[&Problem]) -> Option<String> {
    let edits: Vec<(Span, String)> = problems.iter().flat_map(|problem| problem.edits.clone()).collect();
    let after = check(name, &edited(text, &edits));
    let same = |report: &Report, problem: &Problem| {
        let is_same = |other: &&Problem| (other.code, &other.message) == (problem.code, &problem.message);
        report.problems.iter().filter(is_same).count()
    };
    let left = problems.iter().filter(|problem| same(&after, problem) >= same(before, problem));
    let left: Vec<&str> = left.map(|problem| problem.message.as_str()).collect();
    let hidden = |message: &str| {
        HIDING.iter().any(|(file, hides, hidden)| {
            name.ends_with(file) && problems.iter().any(|problem| problem.message == *hides) && message == *hidden
        })
    };
    let known = named(before, Severity::Error);
    let new = named(&after, Severity::Error);
    let new: Vec<_> = new.into_iter().filter(|error| !known.contains(error) && !hidden(error.1)).collect();
    (!left.is_empty() || !new.is_empty()).then(|| format!("{name}: {edits:?} leave {left:?}, new {new:?}"))
}

/// The problems with edits that do not touch each other, in the order of the report.
fn apart(report: &Report) -> Vec<&Problem> {
    let mut taken: Vec<Span> = Vec::new();
    let free = |problem: &&Problem| {
        let touches = |span: &Span| taken.iter().any(|other| span.start <= other.end && other.start <= span.end);
        let free = !problem.edits.is_empty() && !problem.edits.iter().any(|(span, _)| touches(span));
        if free {
            taken.extend(problem.edits.iter().map(|(span, _)| *span));
        }
        free
    };
    report.problems.iter().filter(free).collect()
}

/// The edits that do not help, as text, and the codes of all problems with edits. Each edit is made alone, and
/// those that do not touch each other are made together.
fn edits_that_fail(name: &str, text: &str) -> (Vec<String>, Vec<&'static str>) {
    let before = check(name, text);
    let with_edits: Vec<&Problem> = before.problems.iter().filter(|problem| !problem.edits.is_empty()).collect();
    let alone = with_edits.iter().filter_map(|problem| failure(name, text, &before, &[problem]));
    let together = apart(&before);
    let together = (together.len() > 1).then(|| failure(name, text, &before, &together)).flatten();
    (alone.chain(together).collect(), with_edits.iter().map(|problem| problem.code.text()).collect())
}

/// The texts of a folder, without their byte-order marks.
fn texts(folder: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a folder lists its files").path()).collect();
    paths.sort_unstable();
    let text = |path: &std::path::PathBuf| Some((path.to_str()?.to_string(), std::fs::read_to_string(path).ok()?));
    paths.iter().filter_map(text).map(|(path, text)| (path, text.trim_start_matches('\u{feff}').to_string())).collect()
}

/// The failures of the edits of a folder, the number of edits by code, and the number of files.
fn sweep(folder: &str) -> (Vec<String>, BTreeMap<&'static str, usize>, usize) {
    let (mut bad, mut codes) = (Vec::new(), BTreeMap::new());
    let texts = texts(folder);
    for (name, text) in &texts {
        let (wrong, found) = edits_that_fail(name, text);
        bad.extend(wrong);
        found.into_iter().for_each(|code| *codes.entry(code).or_insert(0) += 1);
    }
    (bad, codes, texts.len())
}

#[test]
fn the_edits_of_a_problem_make_it_disappear_and_no_error_appear() {
    let (bad, codes, _) = sweep("tests/problems");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    let wanted = ["A0101", "A0102", "A0106", "A0107", "A0201", "A0209", "A0301", "A0507"];
    let lacking: Vec<_> = wanted.iter().filter(|code| !codes.contains_key(*code)).collect();
    let count: usize = codes.values().sum();
    assert!(lacking.is_empty() && count >= 20, "{count} problems have edits; none of the codes {lacking:?}");
}

#[test]
fn the_edits_of_the_broken_files_hold() {
    let (bad, codes, files) = sweep("tests/broken");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    let count: usize = codes.values().sum();
    assert!(files > 360 && count >= 80, "{files} files, {count} problems with edits: {codes:?}");
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
        (
            "p(X) :- atom_concat(X, ' to move:, Y), q(Y).\nq(_).\n",
            "p(X) :- atom_concat(X, ' to move:', Y), q(Y).\nq(_).\n",
        ),
        ("p(X) :- X = 'a\\nb\\oc'.\n", "p(X) :- X = 'a\\nb\\\\oc'.\n"),
        ("p([X|Y), X, Y).\n", "p([X|Y], X, Y).\n"),
        ("p(X) :- X = [\"a text].\n", "p(X) :- X = [\"a text\"].\n"),
        ("p(X) <- q(X).\nq(a).\n", "p(X) :- q(X).\nq(a).\n"),
        ("p(X) :- X <= 3.\n", "p(X) :- X =< 3.\n"),
        ("p(X) :- q(X) and q(X).\nq(a).\n", "p(X) :- q(X) , q(X).\nq(a).\n"),
        ("p(X) :- q((X).\nq(a).\n", "p(X) :- q((X)).\nq(a).\n"),
        ("p(X :- q(X).\nq(a).\n", "p(X) :- q(X).\nq(a).\n"),
        ("p(X) :- q(X),.\nq(a).\n", "p(X) :- q(X).\nq(a).\n"),
        ("p(X, Y) :- q(X, Mid), q(Mit, Y).\nq(a, a).\n", "p(X, Y) :- q(X, Mid), q(Mid, Y).\nq(a, a).\n"),
        ("p(Frog) :- q(frog).\nq(m).\nq(n).\n", "p(Frog) :- q(Frog).\nq(m).\nq(n).\n"),
        ("p(a,,b).\n", "p(a,b).\n"),
        ("p :- q(bleu).\nq(blue).\n", "p :- q(blue).\nq(blue).\n"),
        (":- expect(valu = 3).\n", ":- expect(value = 3).\n"),
        (":- expect(value = max).\n", ":- expect(value = win(max)).\n"),
    ] {
        let text = format!("{GAME}{wrong}");
        let report = check("game.pl", &text);
        let problem = report.problems.iter().find(|problem| !problem.edits.is_empty());
        let problem = problem.unwrap_or_else(|| panic!("{wrong:?} has no edit: {:?}", report.problems));
        assert_eq!(edited(&text, &problem.edits), format!("{GAME}{right}"));
        let (bad, _) = edits_that_fail("game.pl", &text);
        assert!(bad.is_empty(), "{}", bad.join("\n"));
    }
}

/// Where a repair is a guess, the help is enough.
#[test]
fn an_unclear_repair_is_no_edit() {
    for wrong in [
        "p(X) :- q(X, 'left, right).\nq(_, _).\n",
        "p(X) :- q(X, ''s turn').\nq(_, _).\n",
        "p(X) :- q(f(X, X).\nq(_, _).\n",
        "p(f(X, X) :- q(X, X).\nq(_, _).\nr(X) :- p(X, f(X)).\n",
        "p(X) :- q([[X], [X, [X]), X).\nq(_, _).\n",
    ] {
        let report = check("game.pl", &format!("{GAME}{wrong}"));
        assert!(report.errors() == 1 && report.problems.iter().all(|problem| problem.edits.is_empty()), "{wrong:?}");
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
    assert_eq!((single.other_edit.is_none(), single.help.as_deref()), (true, Some("did you mean Left?")));
    assert_eq!(edited(&text, &single.edits), text.replace("Lft", "Left"));
}

/// Regression test: the edit for a misspelt variable wrote `_Plaier`, although the help suggests `Player`.
#[test]
fn a_misspelt_variable_has_two_edits() {
    let text = format!("{GAME}p(Player, N) :- q(Plaier), N > 0, r(Player, N).\nq(_).\nr(_, _).\n");
    let report = check("game.pl", &text);
    let single = report.problems.iter().find(|problem| problem.code == Code::SingletonVariable);
    let single = single.expect("the variable occurs once");
    assert_eq!(edited(&text, &single.edits), text.replace("Plaier", "Player"));
    assert_eq!(edited(&text, single.other_edits()), text.replace("Plaier", "_Plaier"));
}

/// Regression test: a newcomer who forgot the comma at the end of a line had no edit.
#[test]
fn a_comma_is_added_at_the_end_of_a_line() {
    let right = "p(X) :-\n    q(X, Y),\n    q(Y, X).\nq(_, _).\n";
    let report = check("game.pl", &format!("{GAME}{}", right.replace("Y),", "Y)")));
    assert_eq!(
        edited(&format!("{GAME}{}", right.replace("Y),", "Y)")), &report.problems[0].edits),
        format!("{GAME}{right}")
    );
    // On one line, an operator may be missing.
    let report = check("game.pl", &format!("{GAME}p(X) :- q(X, Y) q(Y, X).\nq(_, _).\n"));
    assert!(report.problems.iter().all(|problem| problem.edits.is_empty()));
}

/// `!=` compares numbers or terms.
#[test]
fn the_operator_of_other_languages_has_two_edits() {
    let text = format!("{GAME}p(X, Y) :- X != Y.\n");
    let report = check("game.pl", &text);
    let problem = &report.problems[0];
    assert_eq!(edited(&text, &problem.edits), text.replace("!=", "=\\="));
    assert_eq!(edited(&text, problem.other_edits()), text.replace("!=", "\\=="));
}
