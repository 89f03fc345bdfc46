//! Tests that every code has an entry, that every entry has a code, and that the examples of the entries are
//! correct.
//!
//! The input is `src/` as text, and the table of `alphorn explain`. Every `wrong` text is loaded, checked by
//! random play, tested and searched, in this order, until a problem is found. Only the code of the entry may
//! be found. Every `right` text goes through all four steps.

use alphorn::code::Code;
use alphorn::codes::{CODES, CodePage};
use alphorn::lang::ProgramOptions;
use alphorn::machine::store::Budget;
use alphorn::rules::game::RuleGame;
use alphorn::rules::{Expected, coverage, load, playouts};
use alphorn::search::Algorithm;
use alphorn::search::limits::Limits;
use alphorn::session::{Budgets, Failure, GameStart, Session};
use alphorn::source::{Origin, Source};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Codes whose entry can have no example, each with the reason.
const WITHOUT: &[(&str, &str)] = &[
    ("A0110", "200,000 brackets are no example"),
    ("A0211", "stands on the command line"),
    ("A0614", "somebody presses Ctrl-C"),
    ("A0615", "stands on the command line"),
    ("A0617", "stands on the command line"),
    ("A0618", "stands on the command line"),
    ("A0620", "the file is missing"),
    ("A0621", "stands on the command line"),
    ("A0622", "stands on the command line"),
    ("A0623", "is about another file"),
    ("A0624", "the time of an expectation runs out"),
    ("A0630", "a game that is too large is no example"),
    ("A0631", "stands on the command line"),
    ("A0634", "is about the memory of the machine"),
    ("A0632", "stands on the command line"),
    ("A0633", "the proof is another file"),
    ("A0640", "stands on the command line"),
    ("A0645", "is about another file"),
    ("A0646", "is about a request to tune"),
    ("A0647", "is about a request to tune"),
    ("A0650", "is about a request to a server"),
    ("A0710", "is about what a file has not"),
    ("A0711", "is seen by whoever follows the table"),
    ("A0712", "is seen by whoever follows the table"),
    ("A0713", "is seen by whoever follows the table"),
];

/// The text of every source file except the table of the codes.
fn sources(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).expect("src is there") {
        let path = entry.expect("a folder lists its files").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("text/src/code.rs") {
            found.push_str(&fs::read_to_string(&path).expect("sources are UTF-8"));
        }
    }
}

#[test]
fn every_code_has_a_row_and_every_row_a_code() {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.text()).collect();
    let rows: Vec<&str> = CODES.iter().map(|row| row.code).collect();
    assert_eq!(codes, rows, "left the codes, right the sections of docs/codes.md");
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "the codes are in order, each once");
    let mut text = String::new();
    sources(Path::new("src"), &mut text);
    sources(Path::new("crates"), &mut text);
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != ':').collect();
    let unused: Vec<_> = Code::ALL.iter().filter(|code| !words.contains(format!("Code::{code:?}").as_str())).collect();
    assert!(unused.is_empty(), "no diagnostic has these codes: {unused:?}");
}

#[test]
fn rows_are_written_as_rows_should_be() {
    for CodePage { code, title, text, wrong, right } in CODES.iter() {
        assert!(!title.ends_with('.') && title.len() < 60, "{code}: the title is a few words");
        let sentences = text.matches(['.', '?']).count();
        assert!(sentences >= 2 && text.trim_end().ends_with('.'), "{code}: the text is in sentences");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{code}: the text is printed as it stands");
        assert_eq!(wrong.is_empty(), right.is_empty(), "{code}: an example has both sides");
        assert_eq!(
            wrong.is_empty(),
            WITHOUT.iter().any(|(without, _)| without == code),
            "{code}: an example where there can be one"
        );
        let marks = ["\\_", "\\*", "\\`", "\\["];
        assert!(marks.iter().all(|mark| !text.contains(mark)), "{code}: no marks of Markdown are left");
    }
}

fn budgets() -> Budgets {
    let budget = Budget { steps: 200_000, memory: 64 << 20 };
    Budgets { game: budget, goal: budget }
}

fn code_of(failure: Failure) -> Vec<&'static str> {
    match failure {
        Failure::Text(report) => report.problems.iter().map(|problem| problem.code.text()).collect(),
        Failure::Problem(problem, _) => vec![problem.code.text()],
    }
}

/// The codes that a file gives: those of loading, or else of random play, or else of its expectations, or
/// else of its value.
fn codes(text: &str) -> Vec<&'static str> {
    let source =
        Source { name: "game.pl".into(), text: text.into(), origin: Origin::File("tests/problems/game.pl".into()) };
    let rules = load(std::slice::from_ref(&source), &[], &ProgramOptions::default(), Expected::Game);
    if !rules.report.problems.is_empty() {
        return rules.report.problems.iter().map(|problem| problem.code.text()).collect();
    }
    let stop = Arc::new(AtomicBool::new(false));
    let played = match RuleGame::new(rules.clone(), budgets().game, stop.clone()) {
        Ok(game) => {
            let played = playouts::play(&game, 20, 1, &|_| {});
            let notes = coverage::notes(&rules, &played, budgets().game, &stop);
            played.problems.into_iter().chain(notes).collect()
        }
        Err(fault) => vec![fault.problem(&rules.program, &[])],
    };
    if !played.is_empty() {
        return played.iter().map(|problem| problem.code.text()).collect();
    }
    let found = Session::open(&[source], &[], &ProgramOptions::default(), Expected::Game, budgets(), stop).and_then(
        |session| {
            let game = session.game()?;
            let tested: Vec<&'static str> = session
                .rules
                .claims
                .iter()
                .filter_map(|stated| session.test(&game, stated).problem)
                .map(|problem| problem.code.text())
                .collect();
            let state = session.position(&game, &GameStart::default())?;
            // In a game without chance this is minimax.
            session.value(&game, &state, &Algorithm::Expectiminimax.into(), &Limits::default())?;
            Ok(tested)
        },
    );
    found.unwrap_or_else(code_of)
}

#[test]
fn wrong_examples_give_their_code_alone() {
    let mut bad = Vec::new();
    for row in CODES.iter().filter(|row| !row.wrong.is_empty()) {
        let found = codes(row.wrong);
        if found != [row.code] {
            bad.push(format!("{} gives {found:?}", row.code));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn right_examples_give_no_problem() {
    let mut bad = Vec::new();
    for row in CODES.iter().filter(|row| !row.right.is_empty()) {
        let found = codes(row.right);
        if !found.is_empty() {
            bad.push(format!("{}: its right example gives {found:?}", row.code));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
