//! Tests profiles, traces and listings: their counts agree with counts by hand, their sums are correct, and
//! their visits are those of the searches. Tests every way in which the commands end.
//!
//! The tests use small programs, artificial trees and the built binary. `tests/solvers/watched.rs` tests on
//! random programs that profiling does not change a run.

use alphorn::game::{Heuristic, Score, Side};
use alphorn::search::limits::Limits;
use alphorn::search::visits::{self, Visit};
use alphorn::search::{Algorithm, run as search, run_observed};
use proptest::prelude::*;
use serde_json::Value;
use std::cell::RefCell;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use toy::{Toy, trees};

#[allow(dead_code)]
#[path = "../games/agreement/toy.rs"]
mod toy;

const PROGRAM: &str = "\
%! p(X) is one of three.
p(1).
p(2).
p(3).
q(X) :- p(X), X > 1.
r(X, Y) :- q(X), !, p(Y).
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
t(X) :- catch(u(X), _, X = caught).
u(X) :- p(Y), Y > 2, throw(oops(X)).
endless :- edge(a, b), go_on(endless).
all(Xs) :- findall(X, q(X), Xs).
last(X) :- append(_, [X], [a, b, c]).
:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(a, b).
edge(b, c).
edge(c, a).
go_on(Goal) :- call(Goal).
";

struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

fn file(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("alphorn-profile-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file can be written");
    path.to_str().expect("the path is text").to_string()
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", "C").env("NO_COLOR", "1").args(args);
    command
}

fn run(args: &[&str]) -> Ran {
    let output = command(args).stdin(Stdio::null()).output().expect("the binary starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("alphorn writes UTF-8");
    Ran { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn json(args: &[&str]) -> Value {
    let ran = run(&[&["--json"], args].concat());
    assert_eq!(ran.err, "", "{args:?}");
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{args:?} prints {}", ran.out))
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap_or_else(|| panic!("{object} is no object")).keys().map(String::as_str).collect()
}

/// The calls, redos, exits, fails and errors of a row.
fn ports(row: &Value) -> [u64; 5] {
    ["calls", "redos", "exits", "fails", "exceptions"].map(|key| row[key].as_u64().expect("a count"))
}

fn row<'a>(rows: &'a Value, name: &str, number: Option<u64>) -> &'a Value {
    let is = |row: &&Value| row["name"] == name && number.is_none_or(|number| row["number"] == number);
    rows.as_array().expect("a list").iter().find(is).unwrap_or_else(|| panic!("no row {name} in {rows}"))
}

/// Asserts that the sum of the steps is correct, and that the shares sum up to one.
fn adds_up(profile: &Value) {
    let sum = |rows: &Value, key: &str| -> f64 {
        rows.as_array().expect("a list").iter().filter_map(|row| row[key].as_f64()).sum()
    };
    let steps = profile["steps"].as_f64().expect("a count");
    let itself = profile["itself"]["steps"].as_f64().expect("a count");
    assert_eq!(sum(&profile["predicates"], "steps") + itself, steps);
    assert_eq!(sum(&profile["questions"], "steps"), steps);
    if steps > 0.0 {
        let shares = sum(&profile["predicates"], "share") + itself / steps;
        assert!((shares - 1.0).abs() < 1e-4, "shares come to {shares}");
    }
    for row in ["predicates", "clauses"].iter().flat_map(|rows| profile[rows].as_array().expect("a list")) {
        let [calls, redos, exits, fails, exceptions] = ports(row);
        assert_eq!(calls + redos, exits + fails + exceptions, "{row}");
    }
}

/// Predicates with their calls, redos, exits, fails and steps.
type Counted = &'static [(&'static str, [u64; 5])];

#[test]
fn ports_are_counted_as_by_hand() {
    let program = file("counts.pl", PROGRAM);
    let counts: &[(&str, Counted)] = &[
        // p gives 1, which is too small, then 2, then 3, and then no more answers; q has one redo.
        ("q(X)", &[("q/1", [1, 1, 2, 0, 0]), ("p/1", [1, 2, 3, 0, 0]), (">/2", [3, 0, 2, 1, 0])]),
        ("q(7)", &[("q/1", [1, 0, 0, 1, 0]), ("p/1", [1, 0, 0, 1, 0])]),
        // The cut keeps only the first answer of q, so q has no redo.
        ("r(X, Y)", &[("r/2", [1, 2, 3, 0, 0]), ("q/1", [1, 0, 1, 0, 0]), ("p/1", [2, 3, 5, 0, 0])]),
        ("len([a, b, c], N)", &[("len/2", [4, 0, 4, 0, 0]), ("is/2", [3, 0, 3, 0, 0])]),
        ("t(X)", &[("t/1", [1, 0, 1, 0, 0]), ("u/1", [1, 0, 0, 0, 1]), ("throw/1", [1, 0, 0, 0, 1])]),
        ("all(Xs)", &[("all/1", [1, 0, 1, 0, 0]), ("q/1", [1, 1, 2, 0, 0])]),
        ("between(1, 3, X)", &[("between/3", [1, 2, 3, 0, 0])]),
        ("\\+ p(7)", &[("p/1", [1, 0, 0, 1, 0])]),
    ];
    for (goal, rows) in counts {
        let profile = json(&["profile", &program, "--goal", goal]);
        adds_up(&profile);
        for (name, expected) in *rows {
            assert_eq!(ports(row(&profile["predicates"], name, None)), *expected, "{name} in {goal}");
        }
    }
}

#[test]
fn clauses_are_counted_as_by_hand() {
    let program = file("clauses.pl", PROGRAM);
    let profile = json(&["profile", &program, "--goal", "q(X)"]);
    for (number, expected) in [(1, [1, 0, 1, 0, 0]), (2, [1, 0, 1, 0, 0]), (3, [1, 0, 1, 0, 0])] {
        assert_eq!(ports(row(&profile["clauses"], "p/1", Some(number))), expected, "clause {number}");
    }
    assert_eq!(ports(row(&profile["clauses"], "q/1", Some(1))), [1, 1, 2, 0, 0]);
    let profile = json(&["profile", &program, "--goal", "path(a, X)"]);
    adds_up(&profile);
    assert_eq!(profile["goal"]["answers"], 3);
    // Every clause of a table is tried until a pass finds no new answer, so each exit has a redo.
    let [calls, redos, exits, fails, _] = ports(row(&profile["clauses"], "path/2", Some(2)));
    assert_eq!((calls + redos, redos), (exits + fails, exits));
}

#[test]
fn what_the_library_does_is_the_users_who_called_it() {
    let program = file("served.pl", PROGRAM);
    let profile = json(&["profile", &program, "--goal", "last(X)"]);
    let last = row(&profile["clauses"], "last/1", None);
    let whole = row(&profile["predicates"], "append/3", None)["steps"].as_u64().expect("a count") + 1;
    assert!(whole > 2);
    assert_eq!((last["steps"].as_u64(), last["served_steps"].as_u64()), (Some(1), Some(whole)));
}

#[test]
fn a_profiled_search_finds_what_the_search_finds() {
    for game in ["tictactoe", "nim", "bratko", "kalah", "pig", "connect4"] {
        let path = format!("games/{game}.pl");
        if fs::metadata(&path).is_err() {
            continue;
        }
        let depth = ["--depth", "3", "--threads", "1"];
        let profile = json(&[&["profile", &path][..], &depth].concat());
        let found = json(&[&["value", &path][..], &depth].concat());
        adds_up(&profile);
        for key in ["value", "best", "nodes", "evals"] {
            assert_eq!(profile["search"][key], found[key], "{key} of {game}");
        }
        let asked: u64 =
            profile["questions"].as_array().expect("a list").iter().filter_map(|row| row["asked"].as_u64()).sum();
        assert!(asked >= found["nodes"].as_u64().expect("a count"), "{game}: a node takes a question at least");
    }
    let games = json(&["profile", "games/tictactoe.pl", "--playouts", "10"]);
    adds_up(&games);
    assert_eq!(games["error"], Value::Null);
}

#[test]
fn the_objects_have_the_documented_keys() {
    let profile = json(&["profile", "games/nim.pl", "--depth", "2"]);
    let all = ["schema", "machine", "steps", "seconds", "outside", "questions", "predicates", "clauses", "itself"];
    assert_eq!(keys(&profile), [&all[..], &["search", "error", "warnings"]].concat());
    let row = [
        "name",
        "origin",
        "file",
        "line",
        "calls",
        "redos",
        "exits",
        "fails",
        "exceptions",
        "steps",
        "seconds",
        "share",
    ];
    assert_eq!(keys(&profile["predicates"][0]), row);
    assert_eq!(keys(&profile["clauses"][0]), [&row[..], &["number", "served_steps", "served_seconds"]].concat());
    assert_eq!(keys(&profile["questions"][0]), ["name", "asked", "steps", "seconds"]);
    assert_eq!(keys(&profile["search"]), ["value", "best", "depth", "finished", "nodes", "evals", "stopped"]);
    let program = file("keys.pl", PROGRAM);
    let profile = json(&["profile", &program, "--goal", "q(X)"]);
    assert_eq!(keys(&profile), [&all[..], &["goal", "error", "warnings"]].concat());
    let trace = json(&["trace", &program, "--goal", "p(X)"]);
    assert_eq!(keys(&trace), ["schema", "shown", "full", "answers", "complete", "error", "warnings", "steps"]);
    assert_eq!(keys(&trace["steps"][0]), ["port", "depth", "predicate", "goal"]);
    assert_eq!(trace["steps"][2], serde_json::json!({ "answer": { "X": "1" } }));
    let trace = json(&["trace", "games/bratko.pl", "--search"]);
    let all = ["schema", "shown", "full", "value", "best", "nodes", "stopped", "steps"];
    assert_eq!(keys(&trace), all);
    let visit = ["visit", "ply", "move", "position", "alpha", "beta", "score", "cut"];
    assert_eq!(keys(&trace["steps"][0]), visit);
    let listing = json(&["listing", &program, "p/1", "--compiled"]);
    assert_eq!(keys(&listing), ["schema", "predicates"]);
    assert_eq!(keys(&listing["predicates"][0]), ["name", "origin", "doc", "tabled", "clauses", "compiled"]);
    assert_eq!(keys(&listing["predicates"][0]["clauses"][0]), ["number", "file", "line", "text"]);
}

#[test]
fn a_trace_goes_through_the_ports() {
    let program = file("trace.pl", PROGRAM);
    let ran = run(&["trace", &program, "--goal", "q(X)", "--answers", "1"]);
    let expected = "   1  call       q(_1)
   2  call         p(_1)
   2  exit         p(1)
   2  call         1>1
   2  fail         1>1
   2  redo         p(1)
   2  exit         p(2)
   2  call         2>1
   2  exit         2>1
   1  exit       q(2)
      answer     X = 2
";
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), expected, ""));
    let caught = run(&["trace", &program, "--goal", "t(X)", "--only", "u", "--only", "throw/1"]);
    let expected = "   2  call         u(_1)
   3  call           throw(oops(_1))
   3  exception      throw(oops(_1))
   2  exception    u(_1)
      answer     X = caught
";
    assert_eq!((caught.status, caught.out.as_str()), (Some(0), expected));
    let shallow = run(&["trace", &program, "--goal", "q(X)", "--depth", "1"]);
    assert_eq!(shallow.out.lines().filter(|line| !line.contains("answer")).count(), 4, "{}", shallow.out);
    let skipped = run(&["trace", &program, "--goal", "q(X)", "--skip", "p/1", "--skip", ">/2"]);
    assert_eq!(skipped.out, shallow.out);
    let none = run(&["trace", &program, "--goal", "p(7)"]);
    assert_eq!((none.status, none.out.lines().last()), (Some(1), Some("false")));
}

#[test]
fn a_trace_is_bounded() {
    let program = file("bounded.pl", PROGRAM);
    let ran = run(&["trace", &program, "--goal", "endless"]);
    assert_eq!((ran.status, ran.out.lines().count()), (Some(0), 200));
    assert!(ran.err.contains("stopped after 200 lines: --limit N shows more"), "{}", ran.err);
    let lines = run(&["trace", &program, "--goal", "endless", "--limit", "3", "--json-lines"]);
    let objects: Vec<Value> = lines.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!((objects.len(), &objects[3]["shown"], &objects[3]["full"]), (4, &3.into(), &true.into()));
    let search = run(&["trace", "games/chess.pl", "--search", "--depth", "3", "--limit", "5"]);
    assert_eq!((search.status, search.out.lines().count()), (Some(0), 5), "{}", search.err);
}

/// The tree of the textbook: alpha-beta search cuts off three of fifteen positions.
#[test]
fn a_traced_search_tells_windows_and_cuts() {
    let ran = run(&["trace", "games/bratko.pl", "--search"]);
    let expected = "   0  in   a  [-inf, +inf]
   1  in     b  [-inf, +inf]
   2  in       d  [-inf, +inf]
   3  in         h  [-inf, +inf]
   3  out        h  1
   3  in         i  [1, +inf]
   3  out        i  4
   2  out      d  4
   2  in       e  [-inf, 4]
   3  in         j  [-inf, 4]
   3  out        j  >= 5
   2  out      e  >= 5, 1 move cut off
   1  out    b  4
   1  in     c  [4, +inf]
   2  in       f  [4, +inf]
   3  in         l  [4, +inf]
   3  out        l  <= 2
   3  in         m  [4, +inf]
   3  out        m  <= 1
   2  out      f  <= 2
   1  out    c  <= 2, 1 move cut off
   0  out  a  4
value 4, best b, 11 nodes
";
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), expected));
    let near = run(&["trace", "games/bratko.pl", "--search", "--plies", "1"]);
    let kept: Vec<&str> =
        expected.lines().filter(|line| !line.starts_with("   2") && !line.starts_with("   3")).collect();
    assert_eq!(near.out.lines().collect::<Vec<_>>(), kept);
}

#[test]
fn a_listing_shows_clauses_as_they_are_written() {
    let program = file("listed.pl", PROGRAM);
    let ran = run(&["listing", &program, "q"]);
    assert_eq!(ran.out, format!("% q/1: 1 clause\n% 1, {program}:5\nq(X) :- p(X), X > 1.\n"));
    let ran = run(&["listing", &program, "p/1"]);
    assert!(ran.out.starts_with("% p/1: 3 clauses\n%! p(X) is one of three.\n% 1, "), "{}", ran.out);
    let all = run(&["listing", &program]);
    assert_eq!(all.out.matches(" clause").count(), 12, "{}", all.out);
    assert!(all.out.contains("% path/2: 2 clauses, tabled\n"));
    let compiled = run(&["listing", "games/nim.pl", "move/3", "--compiled"]);
    assert!(compiled.out.contains("% compiled\nmove/3 ("), "{}", compiled.out);
    let builtin = run(&["listing", &program, "is/2"]);
    assert!(builtin.out.contains("% is/2: built in"), "{}", builtin.out);
    assert!(run(&["listing", &program, "append/3"]).out.contains("lib/prelude.pl:"));
}

#[test]
fn every_error_is_told() {
    let program = file("errors.pl", PROGRAM);
    let told: &[(&[&str], i32, &str)] = &[
        (&["listing", "errors.pl", "q/2"], 2, "there is no predicate q/2"),
        (&["listing", "errors.pl", "q/2"], 2, "there is q/1"),
        (&["listing", "errors.pl", "paht/2"], 2, "did you mean path/2?"),
        (&["trace", "errors.pl", "--goal", "q(X)", "--only", "edg"], 2, "did you mean edge/2?"),
        (&["trace", "errors.pl", "--goal", "q(X)", "--skip", "zzzzzz/9"], 2, "there is no predicate zzzzzz/9"),
        (&["trace", "errors.pl"], 2, "--goal"),
        (&["trace", "errors.pl", "--goal", "q(X)", "--search"], 2, "cannot be used with"),
        (&["trace", "errors.pl", "--goal", "q(X)", "--limit", "0"], 2, "--limit"),
        (&["trace", "games/nim.pl", "--search", "--algorithm", "auto"], 2, "a search by auto cannot be traced"),
        (&["trace", "games/pig.pl", "--search", "--depth", "2"], 2, "A0617"),
        (&["trace", "errors.pl", "--search"], 2, "A05"),
        (&["trace", "errors.pl", "--goal", "u(X)"], 2, "A0604"),
        (&["trace", "errors.pl", "--goal", "q("], 2, "A01"),
        (&["profile", "errors.pl", "--goal", "u(X)"], 2, "A0604"),
        (&["profile", "errors.pl", "--goal", "endless", "--steps", "1000"], 2, "A0601"),
        (&["profile", "errors.pl", "--goal", "q(X)", "--depth", "2"], 2, "cannot be used with"),
        (&["profile", "games/nim.pl", "--playouts", "0"], 2, "--playouts"),
        (&["profile", "nowhere.pl"], 2, "there is no such file"),
        (&["profile", "games/nim.pl", "--opening", "99"], 2, "A0615"),
    ];
    for (args, status, words) in told {
        let args: Vec<&str> = args.iter().map(|arg| if *arg == "errors.pl" { program.as_str() } else { arg }).collect();
        let ran = run(&args);
        assert_eq!(ran.status, Some(*status), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{args:?}: {}", ran.err);
    }
}

/// After an error the counts so far are still printed.
#[test]
fn an_error_comes_after_the_profile() {
    let program = file("after.pl", PROGRAM);
    let ran = run(&["profile", &program, "--goal", "endless", "--steps", "1000"]);
    assert!(ran.out.contains("endless/0") && ran.out.contains("errors"), "{}", ran.out);
    let profile = json(&["profile", &program, "--goal", "endless", "--steps", "1000"]);
    adds_up(&profile);
    assert_eq!(profile["error"]["code"], "A0601");
    let [calls, _, exits, _, exceptions] = ports(row(&profile["predicates"], "endless/0", None));
    assert_eq!((calls, exits), (exceptions, 0));
}

#[test]
fn the_source_is_shown_with_its_heat() {
    let program = file("heat.pl", PROGRAM);
    let ran = run(&["profile", &program, "--goal", "len([a, b, c], N)", "--source", "--top", "1", "--clauses"]);
    let line = |text: &str| ran.out.lines().find(|line| line.ends_with(text)).unwrap_or_else(|| panic!("{}", ran.out));
    let hot = line("len([_|T], N) :- len(T, M), N is M + 1.");
    assert!(hot.contains(" 3 ") && hot.contains("75.0 % ##########    8 |"), "{hot}");
    assert!(line("edge(a, b).").starts_with(&" ".repeat(32)));
    assert!(ran.out.contains("and 1 more: --all shows them"), "{}", ran.out);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let program = file("pipe.pl", PROGRAM);
    let args = ["trace", program.as_str(), "--goal", "endless", "--limit", "1000000"];
    let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut first = [0; 64];
    child.stdout.take().expect("it is piped").read_exact(&mut first).expect("there is a line");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

/// The test interrupts the goal after its first port, which shows that the goal runs.
#[cfg(unix)]
#[test]
fn an_interrupted_trace_is_status_130() {
    let program = file("interrupted.pl", PROGRAM);
    let args = ["trace", program.as_str(), "--goal", "p(1), endless", "--only", "p/1"];
    let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut line = [0; 12];
    child.stdout.as_mut().expect("it is piped").read_exact(&mut line).expect("a line comes");
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("kill starts");
    assert!(sent.success());
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("exit       p(1)") && String::from_utf8_lossy(&output.stderr).contains("A0614"), "{told}");
}

struct Numbers;

impl Heuristic<Toy> for Numbers {
    fn evaluate(&self, toy: &Toy, state: &usize) -> Result<f64, std::convert::Infallible> {
        Ok(toy.positions[*state].number)
    }
}

/// A visit that is not finished: the position, its window, and whether the search left it.
type Entered = (usize, u32, visits::Bounds);

/// Traces a search. Returns the number of positions that the search entered.
fn followed(algorithm: Algorithm, toy: &Toy, depth: Option<u32>) {
    let limits = Limits { depth, ..Limits::default() };
    let plain = search(algorithm, toy, &Numbers, &0, &limits).expect("the game ends");
    let (line, entered, last) =
        (RefCell::new(Vec::<Entered>::new()), RefCell::new(0), RefCell::new(None::<(Score, visits::Bounds)>));
    let hear = |visit: Visit<'_, usize>| match visit {
        Visit::In { state, ply, window } => {
            assert_eq!(line.borrow().len() as u32, ply);
            if let Some((above, ..)) = line.borrow().last() {
                assert!(toy.positions[*above].children.contains(state), "a move leads there");
            }
            assert!(window.0 < window.1, "{algorithm}: nothing is searched in an empty window");
            line.borrow_mut().push((*state, ply, window));
            *entered.borrow_mut() += 1;
        }
        Visit::Out { state, ply, score, cut } => {
            let (open, at, window) = line.borrow_mut().pop().expect("what is left was entered");
            assert_eq!((open, at), (*state, ply));
            let reached = match toy.positions[*state].mover {
                Side::Max => score >= window.1,
                Side::Min => score <= window.0,
            };
            assert!(cut == 0 || reached, "{algorithm}: a cut-off has its reason");
            *last.borrow_mut() = Some((score, window));
        }
    };
    let told = run_observed(algorithm, (toy, &Numbers), &0, &limits, &hear).expect("the game ends");
    assert_eq!(told, plain, "{algorithm}: listening changes nothing");
    assert_eq!(*entered.borrow(), plain.nodes, "{algorithm}: every visit is told");
    assert!(line.borrow().is_empty());
    assert_eq!(last.borrow().map(|(score, _)| Some(score)), Some(plain.value));
    if algorithm == Algorithm::Minimax {
        assert_eq!(last.borrow().map(|(_, window)| window), Some(visits::OPEN));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_visits_told_are_those_of_the_search(tree in trees(), depth in prop::option::of(0..6_u32)) {
        for algorithm in [Algorithm::Minimax, Algorithm::F1, Algorithm::F2, Algorithm::F2G2, Algorithm::AlphaBeta] {
            followed(algorithm, &tree, depth);
        }
    }
}
