//! Tests that goals of the Prolog subset have the answers, errors and output of `tests/data/conformance.tsv`,
//! in the way of `alphorn query --canonical --json --limit 6`.
//!
//! `tests/data/conformance.md` describes the rows. [`SWI`] lists rows in which Alphorn follows SWI-Prolog and
//! not the standard, with the reason; the test fails if such a row agrees with the standard.
//! `tests/data/iso.tsv` contains the examples of the standard, section by section. If Alphorn or other
//! systems depart from the standard, the row has the answer of Alphorn and the reason.

use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::session::query::{Answers, QueryOptions};
use alphorn::session::{Budgets, Failure, Session};
use std::process::Command;

const TABLE: &str = include_str!("../data/conformance.tsv");

/// ISO/IEC 13211-1 with its corrigenda, and the numbers of SWI-Prolog 9.
const STANDARD: &str = include_str!("../data/iso.tsv");

/// Values of expressions with zeros, negative and infinite numbers, as SWI-Prolog 9.0.4 gives them.
const ARITHMETIC: &str = include_str!("../data/arithmetic.tsv");

/// Rows of status `iso` in which the shipped games need the answer of SWI-Prolog.
const SWI: &[(&str, &str)] = &[
    ("arith-085", "8 / 2 is the integer 4, as in SWI without prefer_rationals and iso"),
    ("arith-087", "2 ** 3 of integers is the integer 8, as in SWI"),
    ("arith-091", "2 ^ -1 is 0.5, as in SWI without prefer_rationals and iso"),
    ("terms-420", "arg/3 enumerates an unbound index: the language says so, boards are searched by it"),
    ("atoms-481", "the text predicates take numbers: labels are made of rows and columns"),
    ("atoms-488", "the text predicates take numbers"),
    ("atoms-512", "the text predicates take numbers"),
];

const MOST: usize = 6;

struct Row {
    id: &'static str,
    goal: &'static str,
    outcome: &'static str,
    output: String,
    status: &'static str,
}

fn rows() -> Vec<Row> {
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Row { id: cells[0], goal: cells[2], outcome: cells[3], output: unescaped(cells[4]), status: cells[5] }
    };
    TABLE.lines().skip(1).map(row).collect()
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some(other)) => out.push(other),
            (c, _) => out.push(c),
        }
    }
    out
}

/// The outcome of a goal in the words of the table.
fn outcome(answers: &[Vec<(String, String)>], complete: bool, error: Option<&str>, expected: &str) -> String {
    let answer = |answer: &Vec<(String, String)>| match answer.is_empty() {
        true => "yes".to_string(),
        false => answer.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", "),
    };
    let mut parts: Vec<String> = answers.iter().map(answer).collect();
    match error {
        Some(term) => parts.push(ball(term, expected)),
        None if !complete => parts.push("...".to_string()),
        None => {}
    }
    if parts.is_empty() { "no".to_string() } else { parts.join(" ; ") }
}

fn ball(term: &str, expected: &str) -> String {
    const FORMAL: [&str; 8] = [
        "type_error",
        "domain_error",
        "existence_error",
        "evaluation_error",
        "permission_error",
        "representation_error",
        "resource_error",
        "instantiation_error",
    ];
    if term.starts_with("syntax_error(") {
        return if expected.ends_with("error syntax_error") { "error syntax_error" } else { "error syntax_error(_)" }
            .to_string();
    }
    let name = term.split('(').next().unwrap_or(term);
    format!("{} {term}", if FORMAL.contains(&name) { "error" } else { "throw" })
}

fn session() -> Session {
    match Session::open(
        &[],
        &[],
        &ProgramOptions::default(),
        Expected::Program,
        Budgets::new(None, None),
        Default::default(),
    ) {
        Ok(session) => session,
        Err(failure) => panic!("the library alone does not load: {failure:?}"),
    }
}

fn ask(session: &Session, goal: &str) -> Result<Answers, Failure> {
    let asking = QueryOptions { limit: MOST, canonical: true, keep: true };
    session.query(goal, asking, None, &mut |_, _, _| true)
}

#[test]
fn every_row_agrees_but_for_those_that_follow_swi() {
    let session = session();
    let mut wrong = Vec::new();
    for row in rows() {
        let (found, output) = match ask(&session, row.goal) {
            Ok(answers) => {
                let error = answers.error.as_ref().map(|error| error.term.as_str());
                (outcome(&answers.answers, answers.complete, error, row.outcome), answers.output)
            }
            Err(failure) => (format!("{failure:?}"), String::new()),
        };
        let agrees = found == row.outcome && output == row.output;
        let reason = SWI.iter().find(|(id, _)| *id == row.id);
        match (agrees, reason) {
            (true, None) | (false, Some(_)) => {}
            (true, Some((id, reason))) => {
                wrong.push(format!("{id} agrees now, but stands among the exceptions: {reason}"))
            }
            (false, None) => wrong.push(format!(
                "{} ({}): {}\n  expected {} and output {:?}\n  found    {found} and output {output:?}",
                row.id, row.status, row.goal, row.outcome, row.output
            )),
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// Alphorn's outcome for a row, with the output of the goal.
fn found(session: &Session, goal: &str, expected: &str) -> (String, String) {
    match ask(session, goal) {
        Ok(answers) => {
            let error = answers.error.as_ref().map(|error| error.term.as_str());
            (outcome(&answers.answers, answers.complete, error, expected), answers.output)
        }
        Err(failure) => (format!("{failure:?}"), String::new()),
    }
}

#[test]
fn every_example_of_the_standard_has_its_answer() {
    let session = session();
    let (mut wrong, mut departures, mut count) = (Vec::new(), 0, 0);
    for line in STANDARD.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, goal, standard, output, systems, departs, reason] = cells[..] else {
            panic!("{line} has not seven cells")
        };
        let wanted = if departs.is_empty() { standard } else { departs };
        assert!(systems != "iso" || !reason.is_empty(), "{id}: systems differ, and there is no reason for this answer");
        if !departs.is_empty() {
            departures += 1;
            assert!(departs != standard && !reason.is_empty(), "{id} departs from the standard without a reason");
        }
        count += 1;
        let (answer, written) = found(&session, goal, wanted);
        if answer != wanted || written != unescaped(output) {
            wrong.push(format!("{id}\t{goal}\t{wanted}\t{answer}\t{written:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows: id, goal, expected, found, output\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 900 && departures < 60, "{count} rows, {departures} of them departures");
}

/// Regression test: `atan2(0, 0)` was an error, `atan2(0.0, 0.0)` was 0.0, and `msb(0)` was a type error.
#[test]
fn every_sum_has_the_value_that_swi_prolog_gives() {
    let session = session();
    let (mut wrong, mut count, mut departures) = (Vec::new(), 0, 0);
    for line in ARITHMETIC.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [sum, swi, departs, reason] = cells[..] else { panic!("{line} has not four cells") };
        assert!(departs.is_empty() == reason.is_empty() && departs != swi, "{sum} differs without a reason");
        let wanted = if departs.is_empty() { swi } else { departs };
        (count, departures) = (count + 1, departures + usize::from(!departs.is_empty()));
        let (answer, _) = found(&session, &format!("X is {sum}"), wanted);
        let answer = answer.strip_prefix("X = ").unwrap_or(&answer);
        if answer.replace(' ', "") != wanted.replace(' ', "") {
            wrong.push(format!("{sum}\t{wanted}\t{answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows: sum, expected, found\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 300 && departures < count / 2, "{count} rows, {departures} of them departures");
}

/// With `ALPHORN_SOLVER=reference` the tables give the same results. The test runs its own binary again.
#[test]
fn the_reference_solver_gives_the_same_answers() {
    if std::env::var_os("ALPHORN_SOLVER").is_some() {
        return;
    }
    let done = Command::new(std::env::current_exe().expect("a test has a file"))
        .arg("conformance::every_")
        .env("ALPHORN_SOLVER", "reference")
        .output()
        .expect("the test starts");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && said.contains("3 passed"), "{said}");
}

#[test]
fn exceptions_are_rows_in_which_systems_differ() {
    let rows = rows();
    assert!(rows.len() > 400, "only {} rows were read", rows.len());
    for (id, _) in SWI {
        let row = rows.iter().find(|row| row.id == *id).unwrap_or_else(|| panic!("there is no row {id}"));
        assert!(
            ["iso", "varies", "single"].contains(&row.status),
            "{id} is of status {}, which must not differ",
            row.status
        );
    }
}

/// The tests above do not use the command line; the rows here do.
#[test]
fn the_command_gives_what_the_session_gives() {
    let mut seen = 0;
    for row in rows().iter().step_by(19) {
        let done = Command::new(env!("CARGO_BIN_EXE_alphorn"))
            .args(["query", "--canonical", "--json", "--limit", "6", "--", row.goal])
            .output()
            .expect("the binary starts");
        let text = String::from_utf8(done.stdout).expect("UTF-8");
        let json: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}: {text}", row.id));
        let pairs = |answer: &serde_json::Value| {
            answer
                .as_object()
                .expect("an object")
                .iter()
                .map(|(name, value)| (name.clone(), value.as_str().expect("a text").to_string()))
                .collect()
        };
        let answers: Vec<Vec<(String, String)>> =
            json["answers"].as_array().expect("a list").iter().map(pairs).collect();
        let found = outcome(
            &answers,
            json["complete"].as_bool().expect("yes or no"),
            json["error"]["term"].as_str(),
            row.outcome,
        );
        if SWI.iter().all(|(id, _)| *id != row.id) {
            assert_eq!(
                (found.as_str(), json["output"].as_str()),
                (row.outcome, Some(row.output.as_str())),
                "{}: {}",
                row.id,
                row.goal
            );
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} rows were asked");
}

/// Games converted from GDL sheets, whose recursion ends only because of tables: they load without problems,
/// their expectations hold, and answers come in the standard order, with both solvers.
#[test]
fn tabled_games_load_and_answer_in_the_standard_order() {
    let run = |solver: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
        if !solver.is_empty() {
            command.env("ALPHORN_SOLVER", solver);
        }
        let done = command.args(args).output().expect("the binary starts");
        (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned())
    };
    for game in ["tabled_connection", "tabled_liberties", "tabled_reachability"] {
        let path = format!("tests/right/{game}.pl");
        for solver in ["", "reference"] {
            assert_eq!(
                run(solver, &["check", "--deny-warnings", "--playouts", "3", &path]),
                (true, format!("{path}: no problems\n"))
            );
            let (passed, said) = run(solver, &["test", &path]);
            assert!(passed && said.ends_with(" passed\n"), "{said}");
        }
    }
    for solver in ["", "reference"] {
        let (_, said) = run(solver, &["query", "tests/right/tabled_reachability.pl", "reach(c, X)"]);
        assert_eq!(said, "X = a\nX = b\nX = c\nX = d\nX = e\nX = f\nX = g\nX = h\n");
    }
}
