//! Tests the diagnostics of bad input, one file for each mistake.
//!
//! The input is `tests/problems/*.pl`. The first line names the codes that the file gives, in the order of
//! the text. The drawn report is a snapshot beside the file. Larger texts are made here; they must load or be
//! rejected soon.

use alphorn::code::Code;
use alphorn::lang::ProgramOptions;
use alphorn::report::{Problem, Report};
use alphorn::rules::{Expected, Rules, examples, load};
use alphorn::source::{Source, Sources};
use miette::{GraphicalReportHandler, GraphicalTheme, ThemeStyles};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The greatest number of lines in a report.
const MOST_LINES: usize = 60;

/// A game for tests that put clauses before it.
pub const GAME: &str = "initial(0).\nmax_to_move(0).\nmove(0, go, 1).\nstatic_eval(N, N).\n";

fn loaded(text: &str) -> Rules {
    load(&[Source::typed("game.pl", text)], &[], &ProgramOptions::default(), Expected::Game)
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.problems.iter().map(|problem| problem.code.text()).collect()
}

fn drawn(report: &Report) -> String {
    let mut theme = GraphicalTheme::unicode_nocolor();
    theme.styles = ThemeStyles::none();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    let mut text = String::new();
    for drawing in report.drawings() {
        handler.render_report(&mut text, &drawing).expect("every problem can be drawn");
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// Asserts that every label lies inside its text, on character boundaries.
fn well_placed(report: &Report) {
    for problem in &report.problems {
        for (span, _) in &problem.labels {
            let text = &report.sources.get(span.source).text;
            assert!(span.start <= span.end, "{}: a label ends before it begins", problem.code);
            assert!(
                text.get(span.start as usize..span.end as usize).is_some(),
                "{}: {span:?} is no piece of the text: {}",
                problem.code,
                problem.message
            );
        }
    }
}

pub fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("tests/problems").expect("the folder is there");
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder lists its files").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "pl"))
        .collect();
    found.sort_unstable();
    found
}

/// The report of a file. If a file cannot be read, the report contains the reason.
fn report_of(path: &str) -> Report {
    match Source::read(path) {
        Ok(source) => load(&[source], &[], &ProgramOptions::default(), Expected::Game).report,
        Err(message) => {
            Report::new(Arc::new(Sources::default()), vec![Problem::placeless(Code::InvalidArgument, message)])
        }
    }
}

/// The codes in the first line; none for the empty file.
fn promised(path: &str) -> Vec<String> {
    let bytes = std::fs::read(path).expect("the file is there");
    let text = String::from_utf8_lossy(&bytes);
    let first = text.trim_start_matches('\u{feff}').lines().next().unwrap_or("% gives: A0501, A0502, A0503, A0505");
    let list = first.strip_prefix("% gives: ").unwrap_or_else(|| panic!("{path} begins with what it gives"));
    list.split(", ").filter(|code| *code != "nothing").map(str::to_string).collect()
}

/// Regression test: `1e10` as an argument was reported as two terms side by side, and a broken declaration
/// made param/2 undefined as well.
#[test]
fn each_bad_file_gives_its_codes_and_no_others() {
    let mut bad = Vec::new();
    for path in files() {
        let path = path.to_str().expect("names are UTF-8");
        let report = report_of(path);
        well_placed(&report);
        let (wanted, found) = (promised(path), codes(&report));
        let mut sorted = (wanted.clone(), found.clone());
        sorted.0.sort_unstable();
        sorted.1.sort_unstable();
        if sorted.0 != sorted.1 {
            bad.push(format!("{path}: wanted {wanted:?}, found {found:?}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn each_bad_file_is_drawn_as_before() {
    let mut bad = Vec::new();
    for path in files() {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("names are UTF-8").to_string();
        let text = drawn(&report_of(path.to_str().expect("names are UTF-8")));
        if text.is_empty() {
            continue;
        }
        assert!(text.lines().count() <= MOST_LINES, "{name}: nobody reads {} lines", text.lines().count());
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../problems");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let compared =
            catch_unwind(AssertUnwindSafe(|| settings.bind(|| insta::assert_snapshot!(name.as_str(), text))));
        if compared.is_err() {
            bad.push(name);
        }
    }
    assert!(bad.is_empty(), "these reports have changed: {}", bad.join(", "));
}

/// In a text with wide letters, the label stands under its part of the text: columns are counted as a
/// terminal counts them.
#[test]
fn labels_stand_under_wide_characters() {
    for (before, width) in [("将棋", 4), ("ход", 3), ("e\u{301}", 1), ("🎲", 2), ("\t", 0)] {
        let text = drawn(&loaded(&format!("terminal(N) :- M = '{before}', membr(N, M).\n{GAME}")).report);
        if width > 0 {
            let mark = text.lines().find(|line| line.contains('─') && line.contains('·')).expect("a mark is drawn");
            let code = text.lines().find(|line| line.contains("membr(N")).expect("the line is drawn");
            let blanks = mark.chars().take_while(|c| *c != '─' && *c != '┬').count();
            let prefix: usize = code.split("membr").next().map(|start| start.chars().count()).unwrap_or(0);
            let wider = prefix - before.chars().count() + width;
            assert_eq!(blanks, wider, "{text}");
        }
    }
}

fn takes_at_most(seconds: u64, what: &str, act: impl FnOnce()) {
    let begun = Instant::now();
    act();
    let taken = begun.elapsed();
    assert!(taken < Duration::from_secs(seconds), "{what} took {taken:?}");
}

#[test]
fn a_hundred_thousand_brackets_load_or_are_refused() {
    takes_at_most(10, "100,000 brackets", || {
        for (open, close, middle) in [
            ("(", ")", "a"),
            ("[", "]", "a"),
            ("{", "}", "a"),
            ("f(", ")", "a"),
            ("[a|", "]", "b"),
            ("- ", "", "a"),
            ("\\+ ", "", "a"),
        ] {
            let text = format!("position({}{middle}{}).\n{GAME}", open.repeat(100_000), close.repeat(100_000));
            let rules = loaded(&text);
            assert_eq!(codes(&rules.report), [] as [&str; 0], "{open}...{close} loads");
        }
    });
}

/// The codes that the binary reports, for texts that might crash this process.
fn codes_of_binary(name: &str, text: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("problems_{name}.pl"));
    std::fs::write(&path, text).expect("the folder is there");
    let ran = Command::new(env!("CARGO_BIN_EXE_alphorn"))
        .args(["check", "--json"])
        .arg(&path)
        .output()
        .expect("the binary is built");
    let object: serde_json::Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{name} ends with {}: {}", ran.status, String::from_utf8_lossy(&ran.stderr)));
    let problems = object["files"][0]["problems"].as_array().expect("check lists problems");
    problems.iter().filter_map(|problem| problem["code"].as_str()).map(str::to_string).collect()
}

/// The test uses the binary, because a stack overflow would end all tests.
#[test]
fn a_hundred_thousand_goals_deep_load_or_are_refused() {
    takes_at_most(20, "100,000 goals", || {
        for (open, close) in [
            ("(", ")"),
            ("\\+ (", ")"),
            ("(true ; ", ")"),
            ("call(", ")"),
            ("(true -> ", " ; true)"),
            ("findall(X, ", ", _)"),
            ("once(", ")"),
        ] {
            for depth in [9_000, 100_000] {
                let text = format!("terminal(X) :- {}X > 0{}.\n{GAME}", open.repeat(depth), close.repeat(depth));
                let found = codes_of_binary("goals", &text);
                assert!(found.is_empty() || found == ["A0110"], "{open}...{close} gives {found:?}");
            }
        }
        let disjunction = format!("terminal(N) :- {}.\n{GAME}", vec!["N > 0"; 100_000].join(" ; "));
        let found = codes_of_binary("disjunction", &disjunction);
        assert!(found.is_empty() || found == ["A0110"], "a disjunction of 100,000: {found:?}");
    });
}

/// Regression test: miette 7.6 panics if a label begins beyond column 65,535.
#[test]
fn a_problem_far_to_the_right_is_drawn() {
    let text = format!("terminal(N) :- N > 0, {}, membr(N, [1]).\n{GAME}", vec!["N > 0"; 20_000].join(", "));
    let report = loaded(&text).report;
    assert_eq!(codes(&report), ["A0201"]);
    assert!(catch_unwind(AssertUnwindSafe(|| drawn(&report))).is_ok_and(|text| text.contains("membr/2")));
}

#[test]
fn a_hundred_thousand_open_brackets_are_one_problem() {
    takes_at_most(10, "100,000 open brackets", || {
        for open in ["(", "[", "{", "f(", "[a|"] {
            let rules = loaded(&format!("{GAME}position({}", open.repeat(100_000)));
            assert_eq!(codes(&rules.report), ["A0106"], "{open}");
            assert_eq!(
                rules.report.problems[0].labels[0].0.start as usize,
                GAME.len() + "position".len(),
                "the outermost bracket is shown"
            );
        }
        let rules = loaded(&format!("{GAME}terminal(N) :- N > 0{}.", ")".repeat(100_000)));
        assert_eq!(codes(&rules.report), ["A0106"]);
    });
}

#[test]
fn a_hundred_thousand_operators_load() {
    takes_at_most(10, "100,000 operators", || {
        for operator in [" + ", " - ", " , ", " ; ", " -> ", " ^ ", " = a), f(b = ", "|"] {
            let text = format!("position(f(({}))).\n{GAME}", vec!["a"; 100_000].join(operator));
            let found = codes(&loaded(&text).report);
            assert!(
                found.iter().all(|code| *code == "A0101" || *code == "A0108") && found.len() <= 1,
                "{operator}: {found:?}"
            );
            if [" + ", " - ", " , ", " ; ", " ^ "].contains(&operator) {
                assert_eq!(found, [] as [&str; 0], "{operator}");
            }
        }
        let conjunction = format!("terminal(N) :- {}.\n{GAME}", vec!["N > 0"; 100_000].join(", "));
        assert_eq!(codes(&loaded(&conjunction).report), [] as [&str; 0]);
    });
}

#[test]
fn ten_thousand_clauses_of_one_megabyte_load() {
    let mut text = GAME.to_string();
    for number in 0..10_000 {
        writeln!(
            text,
            "position(pos({number}, [a, b, c, d], \"{}\")) :- {number} > 0, \\+ member({number}, [1, 2, 3]).",
            "x".repeat(30)
        )
        .expect("strings take everything");
    }
    assert!(text.len() > 1_000_000);
    takes_at_most(5, "10,000 clauses", || assert_eq!(codes(&loaded(&text).report), [] as [&str; 0]));
}

#[test]
fn one_line_of_one_megabyte_loads_and_is_drawn_shortly() {
    let list = vec!["square"; 150_000].join(",");
    let text = format!("position([{list}]). {GAME}");
    takes_at_most(5, "a line of 1 MB", || assert_eq!(codes(&loaded(&text).report), [] as [&str; 0]));
    let broken = format!("position([{list},,]). {GAME}");
    takes_at_most(5, "a broken line of 1 MB", || {
        let report = loaded(&broken).report;
        assert_eq!(codes(&report), ["A0109"]);
        // Regression test: as above. A report must not contain a megabyte of context either.
        let length = drawn(&report).len();
        assert!(length < 20_000, "one problem is drawn with {length} bytes");
    });
}

#[test]
fn ten_thousand_broken_clauses_are_ten_thousand_problems() {
    let text = "terminal(N) :- N > , 3.\nterminal(N) :- member(N, [1).\n".repeat(5_000) + GAME;
    takes_at_most(5, "10,000 broken clauses", || {
        let report = loaded(&text).report;
        assert_eq!(report.problems.len(), 10_000);
        assert!(report.problems.iter().all(|problem| ["A0109", "A0106"].contains(&problem.code.text())));
    });
}

#[test]
fn ten_thousand_slips_in_one_file_are_told_soon() {
    let text: String = (0..10_000).map(|number| format!("position(P{number}) :- undefined{number}(Q).\n")).collect();
    takes_at_most(10, "10,000 undefined predicates", || {
        let report = loaded(&(text + GAME)).report;
        assert!(report.errors() + report.warnings() >= 20_000)
    });
}

/// The ways to damage a text: remove bytes, insert bytes, or move bytes.
fn damaged(text: &str, random: &mut Xoshiro256PlusPlus) -> String {
    const BITS: &[&str] = &[
        "'",
        "\"",
        "`",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ".",
        ". ",
        ",",
        "|",
        ":-",
        "-->",
        "/*",
        "*/",
        "%",
        "0'",
        "\\",
        "\n",
        "é",
        "将",
        "\u{0}",
        "\u{feff}",
        "_",
        "X",
        "is",
        "mod",
        "- ",
        "1e",
        "9999999999999999999",
        ":- op(200, xfy, ",
        "!",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.random_range(1..4usize) {
        let at = random.random_range(0..=bytes.len());
        let end = (at + random.random_range(0..40usize)).min(bytes.len());
        match random.random_range(0..4u32) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, BITS[random.random_range(0..BITS.len())].bytes())),
            2 => {
                let cut: Vec<u8> = bytes.drain(at..end).collect();
                let to = random.random_range(0..=bytes.len());
                drop(bytes.splice(to..to, cut));
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Regression test: the label of a missing full stop began inside a character.
#[test]
fn damaged_games_never_panic_and_labels_lie_in_the_text() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(14);
    let mut bad = Vec::new();
    for (name, text) in examples().into_iter().filter(|(_, text)| text.len() < 8_000) {
        for number in 0..40 {
            let text = damaged(text, &mut random);
            let checked = catch_unwind(|| {
                let report = loaded(&text).report;
                well_placed(&report);
                drawn(&report)
            });
            if checked.is_err() {
                bad.push(format!("{name}, damage number {number}"));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn a_problem_can_be_drawn_at_every_byte() {
    let text = "\t将棋(X) :-\r\n  e\u{301} = \"🎲\\\n\", X.\n\n\u{feff}% ход\r\nq.\t";
    let mut sources = Sources::default();
    let source = sources.add(Source::typed("odd.pl", text));
    let sources = Arc::new(sources);
    for start in 0..=text.len() as u32 + 1 {
        for end in [start, start + 1, start + 5, text.len() as u32] {
            let span = alphorn::source::Span { source, start, end };
            // The spans of Alphorn are on character boundaries; only their ends may exceed the text.
            let whole = |at: u32| at as usize >= text.len() || text.is_char_boundary(at as usize);
            if end >= start && whole(start) && whole(end) {
                let problem = Problem::error(Code::UnexpectedWord, span, "something")
                    .label("here")
                    .also(span, "and here")
                    .help("write it");
                assert!(drawn(&Report::new(sources.clone(), vec![problem])).contains("something"));
            }
        }
    }
}
