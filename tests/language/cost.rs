//! Tests `check --code` and `check --cost`: the compiled code of a game, and its slow parts.
//!
//! The tests use the built binary, and small games with goals that the compiler cannot specialise. The tests
//! of the solvers check the answers of compiled code.

use alphorn::lang::ProgramOptions;
use alphorn::rules::{Expected, load};
use alphorn::source::Source;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

/// A call of `turn/1` has a compound term with an unknown part.
const PARTIAL: &str = "\
initial(7-max).
max_to_move(_-max).
moves(N-Who, L) :-
    N > 0,
    T = Who-Next, turn(T),
    M is N - 1,
    L = [M-Next].
terminal(0-_).
turn(max-min).
turn(min-max).
static_eval(N-_, N).
";

/// Such a call in a predicate that has three modes; in one mode all arguments are known.
const TWICE: &str = "\
initial(7-max).
max_to_move(_-max).
moves(P, [Q]) :- next(P, Q).
terminal(P) :- next(P, a-_), next(P, 0-max).
next(N-Who, M-Next) :- T = Who-Next, turn(T), M is N - 1.
turn(max-min).
turn(min-max).
static_eval(_, 0).
";

const TABLED: &str = "\
:- table reach/2.
initial(a).
max_to_move(_).
moves(X, L) :- findall(Y, reach(X, Y), L).
reach(X, Y) :- edge(X, Y).
reach(X, Y) :- reach(X, Z), edge(Z, Y).
edge(a, b). edge(b, c).
static_eval(_, 0).
";

struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", "C").env("NO_COLOR", "1");
    command
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("alphorn writes UTF-8")
}

fn check(args: &[&str]) -> Ran {
    let Output { status, stdout, stderr } =
        command().arg("check").args(args).stdin(Stdio::null()).output().expect("the binary starts");
    Ran { status: status.code(), out: text(stdout), err: text(stderr) }
}

/// The result for one file, as JSON.
fn row(args: &[&str]) -> Value {
    let ran = check(&[&["--json"], args].concat());
    let mut found: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
    found["files"][0].take()
}

/// Writes a file of rules for one test and returns its path.
fn file(name: &str, rules: &str) -> String {
    let path = format!("{}/cost_{name}", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&path, rules).expect("the folder for tests can be written");
    path
}

fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is missing, or out of order, in\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

/// Builtins take no steps, so both predicates take 0.0 % of them.
const SHOWN_FIRST: &str = "\
initial(p(0, max)).
max_to_move(p(_, max)).
move(p(N, P), L, p(M, Q)) :- slow(N, L, M), o(P, Q).
slow(N, L, M) :- N < 9, findall(X, between(1, 3, X), Xs), T =.. [f|Xs], arg(L, T, K), M is N + K.
show(P, [A]) :- T = f(_, _), T =.. [_|As], length(As, N), format(atom(A), \"~w ~w\", [P, N]).
o(max, min).
o(min, max).
static_eval(p(N, _), V) :- T =.. [f, N, _], arg(1, T, V).
acyclic.
";

/// Regression test: show/2, which no search calls, came before static_eval/2.
#[test]
fn predicates_that_no_search_calls_come_last() {
    let path = file("shown_first.pl", SHOWN_FIRST);
    in_order(&check(&["--cost", &path]).out, &["in static_eval/2 called as", "in show/2 called as"]);
    let costs = row(&["--cost", &path])["cost"].take();
    let costs = costs.as_array().expect("a list");
    let at = |rule: &str| costs.iter().position(|cost| cost["rule"] == rule);
    let last = at("show/2").expect("show/2 has costs");
    assert!(at("static_eval/2").is_some_and(|at| at < last), "{costs:?}");
    assert!(costs[last..].iter().all(|cost| cost["rule"] == "show/2"), "{costs:?}");
}

#[test]
fn a_partial_structure_is_told_with_its_place_and_help() {
    let path = file("partial.pl", PARTIAL);
    let ran = check(&["--cost", &path]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "costs are a result");
    in_order(
        &ran.out,
        &[
            &format!("{path}: no problems\n"),
            "> an argument may hold unbound variables\n",
            &format!("[{path}:5:19]"),
            " 5 |     T = Who-Next, turn(T),\n",
            "in moves/2 called as (+, -?)",
            "help: the called predicate runs in a general version",
            "> 1 predicate runs in a general version for unbound arguments (?): turn/1 (?)\n",
            &format!("\n{path}: 1 place is not specialised\n"),
        ],
    );
    let costs = row(&["--cost", &path])["cost"].take();
    let told = |cost: &Value| {
        ["rule", "modes", "line", "column", "reason"].map(|key| cost[key].to_string().replace('"', "")).join(" ")
    };
    let costs = costs.as_array().expect("a list").clone();
    // The predicate with the most steps comes first: all steps belong to turn/1.
    let places: Vec<String> = costs.iter().map(told).collect();
    assert_eq!(
        places,
        [
            "turn/1 [?] 9 1 general unification",
            "turn/1 [?] 10 1 general unification",
            "moves/2 [+, -?] 5 19 an argument may hold unbound variables"
        ]
    );
    assert!(costs.iter().all(|cost| cost["help"].is_string() && cost["file"] == path.as_str()), "{costs:?}");
    let keys: Vec<&String> = costs[0].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["rule", "modes", "file", "line", "column", "reason", "help", "share"]);
}

#[test]
fn the_mended_rule_costs_nothing() {
    let mended = PARTIAL.replace("T = Who-Next, turn(T)", "turn(Who, Next)").replace("max-min", "max, min");
    let path = file("mended.pl", &mended.replace("turn(min-max)", "turn(min, max)"));
    let ran = check(&["--cost", &path]);
    assert_eq!(ran.out, format!("{path}: no problems\n{path}: everything is specialised\n"));
    assert_eq!(row(&["--cost", &path])["cost"], Value::Array(Vec::new()));
}

#[test]
fn a_place_is_told_once_with_all_ways_of_calling() {
    let path = file("twice.pl", TWICE);
    let found = row(&["--cost", &path]);
    let costs = found["cost"].as_array().expect("a list");
    let at_turn: Vec<&Value> = costs.iter().filter(|cost| cost["line"] == 5 && cost["column"] == 38).collect();
    assert_eq!(at_turn.len(), 1, "{costs:?}");
    let modes: Vec<&str> = at_turn[0]["modes"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(modes, ["+, -?", "+, a-_"], "by moves/2, and with a-_; not with 0-max");
    let ran = check(&["--cost", &path]);
    assert_eq!(ran.out.matches("cost_twice.pl:5:38]").count(), 1, "{}", ran.out);
    let ways: Vec<String> = modes.iter().map(|modes| format!("({modes})")).collect();
    in_order(&ran.out, &["cost_twice.pl:5:38]", &format!("in next/2 called as {}", ways.join(" "))]);
}

#[test]
fn help_stands_where_a_reason_is_told_first() {
    let found = check(&["--cost", "games/chess.pl"]).out;
    let (reason, help) = ("> a builtin is given unbound variables", "help: bind the variables of its arguments before");
    assert!(found.matches(reason).count() > 1, "{found}");
    assert_eq!(found.matches(help).count(), 1, "{found}");
}

#[test]
fn the_library_is_told_in_one_line() {
    let path = file(
        "library.pl",
        &format!("{TABLED}show(X, L) :- length(L, 1), maplist(same(X), L).\nsame(X, X).\n")
            .replace(":- table reach/2.\n", "")
            .replace("reach(X, Y) :- reach(X, Z), edge(Z, Y).\n", ""),
    );
    let ran = check(&["--cost", &path]);
    let library: Vec<&str> = ran.out.lines().filter(|line| line.contains("in the library")).collect();
    assert_eq!(library.len(), 1, "{}", ran.out);
    assert!(!ran.out.contains("prelude.pl"), "no place of the library is drawn: {}", ran.out);
    in_order(&ran.out, &["> in the library: ", "maplist/2 (same(+), ?)"]);
}

#[test]
fn code_shows_the_procedures_of_the_questions() {
    let ran = check(&["--code", "games/tictactoe.pl"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    in_order(
        &ran.out,
        &[
            "games/tictactoe.pl: no problems\n",
            "initial/1 (-)  frame",
            "\nmoves/2 (+, -)  frame",
            "\nselect_replace/4 (+, +, +, -)  frame",
            "\nmax_to_move/1 (+)  frame",
            "\nstatic_eval/2 (+, -)  frame",
        ],
    );
    assert!(!ran.out.contains("specialised"), "the costs were not asked for");
    let found = row(&["--code", "games/tictactoe.pl"]);
    assert_eq!(found["code"].as_str().map(|code| format!("games/tictactoe.pl: no problems\n{code}")), Some(ran.out));
    assert!(found.get("cost").is_none());
    assert!(row(&["games/tictactoe.pl"]).get("code").is_none());
}

#[test]
fn two_runs_print_the_same() {
    for game in ["games/tictactoe.pl", "games/othello.pl", "games/chess.pl"] {
        let runs = [(); 2].map(|()| check(&["--code", "--cost", game]).out);
        assert!(runs[0].len() > 1000 && runs[0] == runs[1], "{game}");
    }
}

#[test]
fn options_of_the_game_are_heeded() {
    let path = file("with.pl", PARTIAL);
    let overlay = file("overlay.pl", "turn(A-B) :- other(A, B).\nother(max, min).\nother(min, max).\n");
    let found = row(&["--cost", &path, "--with", &overlay]);
    let places: Vec<String> = found["cost"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|cost| format!("{}:{}", cost["file"], cost["line"]))
        .collect();
    assert!(places.contains(&format!("\"{overlay}\":1")), "{places:?}");
    assert!(!places.contains(&format!("\"{path}\":9")), "{places:?}");
}

#[test]
fn a_tabled_predicate_is_asked_for_its_table() {
    let path = file("tabled.pl", TABLED);
    let ran = check(&["--cost", &path]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    in_order(&ran.out, &["a call may need its own table\n", "tabled.pl:5:1]", "closure/3"]);
    let ran = check(&["--code", &path]);
    in_order(&ran.out, &["reach/2 (+, -)", "table of reach/2("]);
    let found = row(&["--code", "--cost", &path]);
    assert_eq!((&found["cost"][0]["rule"], &found["cost"][0]["line"]), (&"reach/2".into(), &5.into()));
}

#[test]
fn a_clause_too_large_sends_it_there_too() {
    let names = |letter: char| (0..70_000).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(",");
    let (left, right) = (names('A'), names('A'));
    let large = format!("static_eval(_, V) :- X = f({left}), Y = g({right}), X \\= Y, V = 0.\n");
    let path = file("large.pl", &format!("initial(0).\nmax_to_move(_).\nmoves(0, [1]).\nterminal(1).\n{large}"));
    let ran = check(&["--cost", &path]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    in_order(&ran.out, &["too large to be compiled", "reference solver", &format!("{path}: nothing is compiled\n")]);
    let found = row(&["--code", "--cost", &path]);
    assert_eq!((&found["code"], &found["cost"][0]["line"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_broken_file_is_reported_and_not_compiled() {
    let path = file("broken.pl", "initial(a\nmax_to_move(a).\n");
    let ran = check(&["--code", "--cost", &path, "games/bratko.pl"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("never closed"), "{}", ran.err);
    in_order(
        &ran.out,
        &[&format!("{path}: 1 error\ngames/bratko.pl: no problems\ninitial/1 (-)"), "everything is specialised"],
    );
    let found = row(&["--code", "--cost", &path]);
    assert_eq!((&found["errors"], &found["code"], &found["cost"]), (&1.into(), &Value::Null, &Value::Null));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = command()
        .args(["check", "--code", "--cost", "games/chess.pl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("a line comes");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(
        (line.as_str(), ended.status.code(), text(ended.stderr).as_str()),
        ("games/chess.pl: no problems\n", Some(0), "")
    );
}

/// Every predicate of the game interface, with its mode.
#[test]
fn every_question_says_which_arguments_are_given() {
    let all = "\
initial(a).
moves(_, []).
move(_, a, a).
max_to_move(_).
min_to_move(_).
terminal(_).
static_eval(_, 0).
outcome(_, draw).
show(_, []).
read_position(_, a).
write_position(_, a).
shown_move(_, _, a).
pass(_, a).
canonical(A, A).
symmetry(A, A).
value_range(0, 1).
no_moves(draw).
repetition(draw).
acyclic.
";
    let rules = load(&[Source::typed("all.pl", all)], &[], &ProgramOptions::default(), Expected::Game);
    let questions = rules.contract.questions();
    assert_eq!(questions.len(), all.lines().count(), "one for each clause");
    for (number, (pred, args)) in questions.iter().enumerate() {
        let predicate = rules.program.predicate(*pred);
        assert_eq!(predicate.key.arity, args.len(), "{}", rules.program.indicator(*pred));
        assert!(args.chars().all(|arg| "+-".contains(arg)));
        assert!(!questions[..number].iter().any(|(other, _)| other == pred));
    }
}

/// Regression test: places came in the order of the text, however seldom they run.
#[test]
fn what_play_spends_its_time_on_comes_first() {
    let rules = "\
initial(9-max).
max_to_move(_-max).
terminal(N-Who) :- N < 1, T = Who-_, turn(T).
moves(N-Who, L) :- N > 0, count(60, Who), T = Who-Next, turn(T), M is N - 1, L = [M-Next].
count(0, _) :- !.
count(N, Who) :- T = Who-_, turn(T), M is N - 1, count(M, Who).
turn(max-min).
turn(min-max).
static_eval(N-_, N).
";
    let path = format!("{}/spends.pl", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&path, rules).expect("the folder for tests can be written");
    let ran = command().args(["check", &path, "--cost", "--json"]).output().expect("the binary starts");
    let found: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let costs = found["files"][0]["cost"].as_array().expect("a list");
    // Places in the library come last.
    let own = costs.iter().take_while(|cost| cost["file"] == path.as_str());
    let user: Vec<(&str, f64)> = own.filter_map(|cost| cost["rule"].as_str().zip(cost["share"].as_f64())).collect();
    assert!(user.len() > 2, "{found}");
    let first: Vec<&str> = user.iter().take_while(|(_, share)| *share > 0.3).map(|(rule, _)| *rule).collect();
    assert!(first.contains(&"count/2") && !first.contains(&"terminal/1"), "{user:?}");
    assert!(user.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{user:?}");
}
