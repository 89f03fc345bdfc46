//! Tests of the command line: exit statuses, JSON, standard output and standard error, and arguments.
//!
//! They run the built binary. The text of diagnostics is tested in `problems.rs`; here only the stream is
//! tested. The keys of every JSON object must be exactly those in `docs/commands.md`.

use crate::ran::{run, text};
use serde_json::{Map, Value};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

mod answers;
mod claims;
mod compare;
mod cover;
mod faults;
mod files;
mod front;
mod glance;
mod json;
mod moves;
mod positions;
mod trials;

/// A game whose labels contain blanks and quotes, and with a warning.
const TOY: &str = "\
initial(a).
initial(a2).
max_to_move(a).
max_to_move(a2).
move(a, 'go left', b).
move(a, 'go right', c).
move(a2, [far, 'to the left'], b).
static_eval(a, 0).
static_eval(a2, 0).
static_eval(b, 1).
static_eval(c, 2) :- _ = 1, Once = 1.
";

/// A game in which play can go on for ever.
const CYCLIC: &str = "initial(0).\nmax_to_move(0).\nmove(N, step, M) :- M is 1 - N.\nstatic_eval(_, 0).\n";

fn command() -> Command {
    crate::ran::command(&[])
}

/// Runs with `--json`: one object on one line of standard output, nothing on standard error.
fn json(args: &[&str]) -> (Option<i32>, Map<String, Value>) {
    let ran = run(&[&["--json"], args].concat());
    assert_eq!((ran.out.lines().count(), ran.out.ends_with('\n')), (1, true), "{args:?} prints {:?}", ran.out);
    assert_eq!(ran.err, "", "{args:?}");
    match serde_json::from_str(&ran.out) {
        Ok(Value::Object(object)) => {
            assert_eq!(object.keys().next().map(String::as_str), Some("schema"), "{args:?}");
            assert_eq!(object["schema"], 2, "{args:?}");
            (ran.status, object)
        }
        other => panic!("{args:?} prints {:?}: {other:?}", ran.out),
    }
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap_or_else(|| panic!("{object} is no object")).keys().map(String::as_str).collect()
}

fn top_keys(object: &Map<String, Value>) -> Vec<&str> {
    object.keys().map(String::as_str).collect()
}

/// Writes a file of rules for one test and returns its path.
fn file(name: &str, rules: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&path, rules).expect("the folder for tests can be written");
    path
}

fn answers(args: &[&str]) -> (Option<i32>, String) {
    let ran = run(&[&["query"], args].concat());
    (ran.status, ran.out)
}

// Exit statuses and streams.

#[test]
fn a_result_is_status_0_on_stdout_alone() {
    for args in [
        &["value", "games/bratko.pl"][..],
        &["perft", "games/bratko.pl", "--depth", "3"],
        &["moves", "games/nim.pl"],
        &["query", "member(X, [a, b])"],
        &["check", "games/bratko.pl"],
        &["test", "games/bratko.pl", "games/pi_tree.pl"],
        &["example"],
        &["explain"],
        &["explain", "a0201"],
        &["man"],
        &["--help"],
        &["value", "--help"],
        &["--version"],
    ] {
        let ran = run(args);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{args:?}");
        assert!(!ran.out.trim().is_empty(), "{args:?} says nothing");
    }
}

#[test]
fn no_is_status_1() {
    let failing = file("failing.pl", &format!(":- expect(value = 1).\n{TOY}"));
    let broken = file("broken.pl", "initial(a\nmax_to_move(a).\n");
    let toy = file("toy_no.pl", TOY);
    for (args, out) in [
        (&["query", "fail"][..], "false\n".to_string()),
        (&["test", &failing], format!("{failing}: 0 passed, 1 failed\n")),
        (&["check", &broken], format!("{broken}: 1 error\n")),
        (&["check", "--deny-warnings", &toy], format!("{toy}: 1 warning\n")),
    ] {
        let ran = run(args);
        assert_eq!((ran.status, ran.out), (Some(1), out), "{args:?}");
    }
    let ran = run(&["check", &toy]);
    assert_eq!((ran.status, ran.err.contains("occurs only once")), (Some(0), true), "{}", ran.err);
}

#[test]
fn what_could_not_be_done_is_status_2_and_says_why_on_stderr() {
    let broken = file("broken_2.pl", "initial(a\nmax_to_move(a).\n");
    let faulty = file("faulty.pl", "initial(0).\nmax_to_move(0).\nmove(0, go, 1).\nstatic_eval(N, V) :- V is N / 0.\n");
    let cyclic = file("cyclic.pl", CYCLIC);
    for (args, why) in [
        (&["frob"][..], "there is no command and no file frob"),
        (&["perft", "games/bratko.pl"], "--depth"),
        (&["value", "nowhere.pl"], "cannot read nowhere.pl"),
        (&["value", &broken], "never closed"),
        (&["test", &broken], "never closed"),
        (&["value", &faulty], "zero"),
        (&["check", "nowhere.pl"], "cannot read nowhere.pl"),
        (&["value", "games/bratko.pl", "--position", "Zz"], "cannot contain variables"),
        (&["value", "games/bratko.pl", "--opening", "2"], "no opening 2"),
        (&["value", "games/bratko.pl", "--moves", "z"], "not legal"),
        (&["value", "games/bratko.pl", "--at", "a"], "read_position/2"),
        (&["moves", "games/kalah.pl", "--position", "4 4 4 4 4 4 0 4 4 4 4 4 4 0 max"], "write --at"),
        (&["moves", "games/checkers.pl", "--position", "W:WK10:B20"], "write --at"),
        (&["value", "games/bratko.pl", "-p", "size=3"], "no parameter size"),
        (&["value", "games/hexapawn.pl", "-p", "width=99"], "width"),
        (&["value", "games/bratko.pl", "--position", "a", "--opening", "1"], "--opening"),
        (&["value", &cyclic], "repeat"),
        (&["query", "undefined(1)"], "undefined/1"),
        (&["query", "between(1, inf, X), fail", "--steps", "1000"], "1,000 steps"),
        (&["query", "numlist(1, 1000000000, L)", "--memory", "2M"], "2 MiB"),
        (&["value", "games/tictactoe.pl", "--steps", "10"], "10 steps"),
        (&["example", "tictactoo"], "did you mean tictactoe"),
        (&["explain", "A9999"], "no code"),
        (&["value", "games/bratko.pl", "--table", "nowhere.db"], "there is no such file"),
        (&["value", "games/bratko.pl", "--table", "README.md"], "it is no file of values"),
        (&["value", "games/bratko.pl", "--table", "games"], "it is a folder"),
        (&["value", "games/bratko.pl", "--with", "README.md/a.pl"], "its folder is a file"),
        (&["verify", "games/bratko.pl", "nowhere.proof"], "nowhere.proof: there is no such file"),
        (&["verify", "games/bratko.pl", "games"], "games: it is a folder"),
        (&["solve", "games/bratko.pl", "--proof", "nowhere/x"], "nowhere/x: there is no such folder"),
        (&["solve", "games/bratko.pl", "--save", "nowhere/x"], "nowhere/x: there is no such folder"),
        (&["lab", "tree", "--svg", "nowhere/x"], "nowhere/x: there is no such folder"),
        (&["lab", "critical", "200000", "3"], "every search reads more than"),
        (&["lab", "critical", "4294967295", "64"], "more than"),
    ] {
        let ran = run(args);
        // `test` reports on standard output which file does not load.
        let out = if args[0] == "test" || args[0] == "check" { ran.out.as_str() } else { "" };
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), out), "{args:?}");
        assert!(ran.err.contains(why), "{args:?} should speak of {why}: {}", ran.err);
    }
}

#[test]
fn warnings_of_a_game_stand_beside_the_result() {
    let toy = file("toy_warning.pl", TOY);
    let ran = run(&["perft", &toy, "--depth", "1"]);
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.contains("occurs only once")),
        (Some(0), "  1  2\n", true),
        "{}",
        ran.err
    );
    let ran = run(&["query", &toy, "static_eval(b, V)"]);
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.contains("occurs only once")),
        (Some(0), "V = 1\n", true),
        "{}",
        ran.err
    );
}

/// The test interrupts the goal after the first answer, which shows that the goal runs.
#[cfg(unix)]
#[test]
fn an_interrupted_goal_is_status_130_after_its_answers() {
    let mut child = command()
        .args(["query", "X = 1 ; repeat, fail"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line comes");
    assert_eq!(line, "X = 1\n");
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("kill starts");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = command()
        .args(["query", "repeat"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("a line comes");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!((line.as_str(), ended.status.code(), text(ended.stderr).as_str()), ("true\n", Some(0), ""));
}

// Positions and forms of a game.

#[test]
fn a_position_can_be_given_in_every_way() {
    let position = |args: &[&str]| {
        let (status, found) = json(&[&["moves"], args].concat());
        (status, found.get("position").and_then(Value::as_str).unwrap_or("none").to_string())
    };
    let toy = file("toy_position.pl", TOY);
    let krk = "8/8/8/8/8/k1K5/8/7R w - - 0 1";
    for (args, expected) in [
        (&["games/bratko.pl", "--position", " c "][..], "c"),
        (&["games/bratko.pl", "--moves", "c f"], "f"),
        (&["games/bratko.pl", "--moves", "2 1"], "f"),
        (&["games/bratko.pl", "--position", "c", "--moves", "2"], "g"),
        (&["games/nim.pl", "--opening", "4"], "pos(max,[2,3,4])"),
        (&["games/nim.pl", "--opening", "4", "--moves", "take(1, 2) take( 2,1 )  take(3,4)"], "pos(min,[0,2,0])"),
        (&["games/krk.pl", "--at", krk], krk),
        (&["games/krk.pl", "--at", krk, "--moves", "h1h8 a3a4"], "7R/8/8/8/k7/2K5/8/8 w - - 0 1"),
        (&["games/krk.pl", "--position", "krk(w, s(3,3), s(8,1), s(1,3))"], krk),
        (
            &["games/chess.pl", "--moves", "e2e4 e7e5 g1f3"],
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        ),
        (&[&toy, "--moves", "'go left'"], "b"),
        (&[&toy, "--opening", "2", "--moves", "[far, 'to the left']"], "b"),
    ] {
        assert_eq!(position(args), (Some(0), expected.to_string()), "{args:?}");
    }
}

#[test]
fn parameters_and_overlays_change_a_game() {
    let (_, found) = json(&["perft", "games/hexapawn.pl", "--depth", "2", "-p", "width=4", "--param", "height=4"]);
    assert_eq!(found["perft"].to_string(), r#"[{"depth":1,"paths":4},{"depth":2,"paths":16}]"#);

    let turned =
        file("turned.pl", "static_eval(Pos, Value) :- ( leaf(Pos, Leaf) -> Value is 7 - Leaf ; Value = 0 ).\n");
    let (_, found) = json(&["value", "games/bratko.pl", "--with", &turned]);
    assert_eq!((&found["value"], &found["best"]), (&6.into(), &"c".into()));
    let constant = file("constant.pl", "static_eval(_, 3).\n");
    let (_, found) = json(&["value", "games/bratko.pl", "--with", &turned, "--with", &constant]);
    assert_eq!((&found["value"], &found["best"]), (&3.into(), &"b".into()));
    let wide = file("wide.pl", "static_eval(_, 30).\n");
    let (status, found) = json(&["value", "games/bratko.pl", "--with", &wide]);
    assert_eq!((status, &found["error"]["code"]), (Some(2), &"A0611".into()));
    let (status, out) = answers(&["games/bratko.pl", "--with", &constant, "static_eval(h, V)"]);
    assert_eq!((status, out.as_str()), (Some(0), "V = 3\n"));
}

#[test]
fn a_file_may_come_from_standard_input() {
    let ran = command()
        .args(["value", "-", "--json"])
        .stdin(fs::File::open(format!("{}/games/bratko.pl", env!("CARGO_MANIFEST_DIR"))).expect("it is there"))
        .output()
        .expect("the binary starts");
    let found: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(found["value"], 4);
}

// Goals.

#[test]
fn answers_are_text_that_can_be_read_back() {
    for (args, status, out) in [
        (&["X = f(Y), Z = Y"][..], 0, "X = f(_1), Y = _1, Z = _1\n"),
        (&["B = 1, A = 2"], 0, "B = 1, A = 2\n"),
        (&["X = _Hidden, _Other = 1"], 0, "X = _1\n"),
        (&["_X = 1"], 0, "true\n"),
        (
            &["member(X, [a, 'B c', \"text\", 1.0, a- -1, (a , b), [x|T]])"],
            0,
            "X = a, T = _1\nX = 'B c', T = _1\nX = \"text\", T = _1\nX = 1.0, T = _1\nX = a- -1, T = _1\nX = (a,b), T = _1\nX = [x|_1], T = _1\n",
        ),
        (&["X = 1 + 2 * 3", "--canonical"], 0, "X = +(1,*(2,3))\n"),
        (&["member(X, [1, 2, 3])", "--limit", "2"], 0, "X = 1\nX = 2\n"),
        (&["--", "-(1) = X"], 0, "X = - (1)\n"),
        (&["--", "--json"], 2, ""),
        (&["write(hello), nl, X = 1"], 0, "hello\nX = 1\n"),
        (&["fail"], 1, "false\n"),
    ] {
        assert_eq!(answers(args), (Some(status), out.to_string()), "{args:?}");
    }
    let (_, found) = json(&["query", "--", "- 1 + X = - 1 + 2"]);
    assert_eq!(found["answers"][0]["X"], "2");
}

/// A limit of no answers is not a goal that fails.
#[test]
fn a_limit_of_no_answers_does_not_say_no() {
    let (status, found) = json(&["query", "true", "--limit", "0"]);
    assert_eq!((status, found["answers"].to_string(), &found["complete"]), (Some(0), "[]".to_string(), &false.into()));
}

#[test]
fn an_unknown_predicate_in_a_typed_goal_warns_and_raises_when_it_is_called() {
    let ran = run(&["query", "true ; undefined(1)", "--limit", "1"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "true\n"));
    assert!(ran.err.contains("undefined/1 is not defined"), "{}", ran.err);
    let ran = run(&["query", "X = 1 ; undefined(1)"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), "X = 1\n"));
    assert_eq!(
        answers(&["catch(undefined(1), error(E, _), true)"]),
        (Some(0), "E = existence_error(procedure,undefined/1)\n".to_string())
    );
}

#[test]
fn goals_may_ask_the_search_and_rules_may_not() {
    let ask = |goal: &str, more: &[&str]| answers(&[&["games/bratko.pl", goal], more].concat());
    assert_eq!(ask("initial(P), value(P, 3, V), best(P, 3, B)", &[]), (Some(0), "P = a, V = 4, B = b\n".to_string()));
    assert_eq!(ask("value(b, 0, V)", &[]), (Some(0), "V = 0\n".to_string()));
    assert_eq!(ask("best(h, 3, B)", &[]), (Some(1), "false\n".to_string()));
    assert_eq!(ask("position_now(P)", &["--moves", "b e"]), (Some(0), "P = e\n".to_string()));
    assert_eq!(
        ask("position_now(P), moves(P, Next)", &["--position", "c"]),
        (Some(0), "P = c, Next = [f,g]\n".to_string())
    );
    assert_eq!(ask("position_now(P)", &[]), (Some(0), "P = a\n".to_string()));
    assert_eq!(answers(&["position_now(P)"]).0, Some(2));
    assert_eq!(answers(&["value(a, 1, V)"]).0, Some(2));
    assert_eq!(
        answers(&["games/nim.pl", "initial(P), !, best(P, 11, Label)"]),
        (Some(0), "P = pos(max,[3,4,5]), Label = take(1,2)\n".to_string())
    );

    for asked in ["position_now(P)", "value(P, 1, _)", "best(P, 1, _)"] {
        let rules =
            file("asks.pl", &format!("initial(a).\nmax_to_move(a).\nmove(a, go, b).\nstatic_eval(P, 1) :- {asked}.\n"));
        let (status, found) = json(&["check", &rules]);
        assert_eq!((status, &found["files"][0]["problems"][0]["code"]), (Some(1), &"A0203".into()), "{asked}");
    }
}

// Small commands.

#[test]
fn every_example_is_listed_and_can_be_written_out() {
    let (_, listed) = json(&["example"]);
    let names: Vec<&str> =
        listed["examples"].as_array().expect("a list").iter().filter_map(|row| row["name"].as_str()).collect();
    let mut there: Vec<String> = fs::read_dir(format!("{}/games", env!("CARGO_MANIFEST_DIR")))
        .expect("games/ is there")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".pl")?.to_string()))
        .collect();
    there.sort();
    assert_eq!(names, there);
    for name in names {
        let ran = run(&["example", name]);
        let text = fs::read_to_string(format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"))).expect("it is there");
        assert!(ran.status == Some(0) && ran.out == text, "{name} is written out otherwise");
    }
    let written = file("written.pl", &run(&["example", "bratko.pl"]).out);
    assert_eq!(json(&["value", &written]).1["value"], 4);
}

#[test]
fn every_code_is_explained() {
    let (_, listed) = json(&["explain"]);
    let codes: Vec<&str> =
        listed["codes"].as_array().expect("a list").iter().filter_map(|row| row["code"].as_str()).collect();
    assert!(codes.len() > 20, "{codes:?}");
    for code in codes {
        let ran = run(&["explain", code]);
        assert!(ran.status == Some(0) && ran.out.starts_with(&format!("{code}: ")), "{code}: {}", ran.out);
    }
}

#[test]
fn completions_and_the_manual_name_every_command() {
    let commands = [
        "value",
        "solve",
        "verify",
        "perft",
        "moves",
        "query",
        "profile",
        "trace",
        "listing",
        "check",
        "test",
        "example",
        "explain",
        "completions",
        "man",
    ];
    for shell in ["bash", "zsh", "fish"] {
        let ran = run(&["completions", shell]);
        assert!(ran.status == Some(0) && commands.iter().all(|command| ran.out.contains(command)), "{shell}");
    }
    let man = run(&["man"]).out;
    assert!(man.contains(".TH") && commands.iter().all(|command| man.contains(command)), "{man}");
    let help = run(&["--help"]).out;
    assert!(help.contains("Exit status") && commands.iter().all(|command| help.contains(command)), "{help}");
}

#[test]
fn a_proof_replaces_nothing_but_a_proof() {
    let kept = file("kept.pl", "precious(1).\n");
    let (status, found) = json(&["solve", "games/hexapawn.pl", "--proof", &kept]);
    assert_eq!((status, &found["error"]["code"]), (Some(2), &"A0623".into()));
    assert_eq!(std::fs::read_to_string(&kept).expect("it is there"), "precious(1).\n");
    let proof = file("hexapawn.proof", "");
    for _ in 0..2 {
        let (status, found) = json(&["solve", "games/hexapawn.pl", "--proof", &proof]);
        assert_eq!((status, &found["outcome"]), (Some(0), &"min".into()));
    }
}

/// Once the positions of `--moves` did not count for repetition, as they do in `play` and at the prompt.
#[test]
fn moves_that_lead_back_are_a_repetition() {
    let path = format!("{}/cli_back_and_forth.pl", env!("CARGO_TARGET_TMPDIR"));
    let rules = "initial(p(max, 0)).\nmax_to_move(p(max, _)).\n\
        move(p(max, N), go(M), p(min, M)) :- member(M, [0, 1]), M =\\= N.\n\
        move(p(min, N), back(M), p(max, M)) :- M is 1 - N.\n\
        terminal(p(_, end)).\nstatic_eval(p(_, _), 3).\nrepetition(draw).\n";
    fs::write(&path, rules).expect("it can be written");
    for (moves, value) in
        [("go(1)", "value  0 (draw), exact, 1 ply"), ("go(1) back(0)", "value  0 (draw), exact, 0 plies")]
    {
        let ran = run(&["value", &path, "--moves", moves]);
        assert!(ran.out.starts_with(value), "{moves}: {} {}", ran.out, ran.err);
    }
    let ran = run(&["moves", &path, "--moves", "go(1) back(0)"]);
    assert!(ran.out.contains("a draw by repetition"), "{}", ran.out);
}
