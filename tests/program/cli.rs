//! The command line keeps its promises: exit statuses, JSON, where text goes, what may be typed.
//!
//! In: the built binary. Its drawings of problems are tested in `problems.rs`, here only where
//! they go. The keys of every JSON object are those of `docs/commands.md`, no more and no fewer.

use serde_json::{Map, Value};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

mod claims;
mod compare;
mod cover;
mod files;
mod front;
mod glance;
mod json;
mod moves;

/// A game with labels that have blanks and quotes, and a warning.
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

/// A game that need not end.
const CYCLIC: &str = "initial(0).\nmax_to_move(0).\nmove(N, step, M) :- M is 1 - N.\nstatic_eval(_, 0).\n";

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

fn run(args: &[&str]) -> Ran {
    let Output { status, stdout, stderr } =
        command().args(args).stdin(Stdio::null()).output().expect("the binary starts");
    Ran { status: status.code(), out: text(stdout), err: text(stderr) }
}

/// Runs with `--json`: one object on one line of stdout, nothing on stderr.
fn json(args: &[&str]) -> (Option<i32>, Map<String, Value>) {
    let ran = run(&[&["--json"], args].concat());
    assert_eq!((ran.out.lines().count(), ran.out.ends_with('\n')), (1, true), "{args:?} prints {:?}", ran.out);
    assert_eq!(ran.err, "", "{args:?}");
    match serde_json::from_str(&ran.out) {
        Ok(Value::Object(object)) => {
            assert_eq!(object.keys().next().map(String::as_str), Some("schema"), "{args:?}");
            assert_eq!(object["schema"], 1, "{args:?}");
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

/// Writes a file of rules for one test and gives its path.
fn file(name: &str, rules: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&path, rules).expect("the folder for tests can be written");
    path
}

fn answers(args: &[&str]) -> (Option<i32>, String) {
    let ran = run(&[&["query"], args].concat());
    (ran.status, ran.out)
}

// Exit statuses, and where text goes.

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
    assert_eq!((ran.status, ran.err.contains("stands only once")), (Some(0), true), "{}", ran.err);
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
        (&["value", "games/bratko.pl", "--position", "Zz"], "no variables"),
        (&["value", "games/bratko.pl", "--opening", "2"], "no opening 2"),
        (&["value", "games/bratko.pl", "--moves", "z"], "not legal"),
        (&["value", "games/bratko.pl", "--at", "a"], "read_position/2"),
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
        (&["value", "games/bratko.pl", "--with", "README.md/a.pl"], "what should be its folder is a file"),
        (&["verify", "games/bratko.pl", "nowhere.proof"], "nowhere.proof: there is no such file"),
        (&["verify", "games/bratko.pl", "games"], "games: it is a folder"),
        (&["solve", "games/bratko.pl", "--proof", "nowhere/x"], "nowhere/x: there is no such folder"),
        (&["solve", "games/bratko.pl", "--save", "nowhere/x"], "nowhere/x: there is no such folder"),
        (&["lab", "tree", "--svg", "nowhere/x"], "nowhere/x: there is no such folder"),
        (&["lab", "critical", "200000", "3"], "every search reads more than"),
        (&["lab", "critical", "4294967295", "64"], "more than"),
    ] {
        let ran = run(args);
        // `test` tells on stdout which of its files does not load.
        let out = if args[0] == "test" || args[0] == "check" { ran.out.as_str() } else { "" };
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), out), "{args:?}");
        assert!(ran.err.contains(why), "{args:?} should speak of {why}: {}", ran.err);
    }
}

/// The rest of a game: two places, and who moves in them.
const SHUTTLE: &str = "initial(0).\nmove(0, go, 1).\nmove(1, back, 0).\nstatic_eval(N, N).\n";

/// Once failed: it was searched deeper and deeper for ever.
#[test]
fn a_game_that_is_not_acyclic_though_it_says_so_is_told() {
    let path = file("shuttle.pl", &format!("{SHUTTLE}max_to_move(0).\nacyclic.\n"));
    let ran = run(&["value", &path]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("A0613") && ran.err.contains("the line: go back"), "{}", ran.err);
    let bounded = run(&["value", &path, "--depth", "5"]);
    assert_eq!(bounded.status, Some(0), "{}", bounded.err);
}

#[test]
fn where_both_sides_or_neither_move_is_a_fault() {
    for (name, turns, who) in [
        ("both.pl", "max_to_move(_).\nmin_to_move(1).\n", "both sides"),
        ("neither.pl", "max_to_move(0).\nmin_to_move(2).\n", "neither side"),
    ] {
        let path = file(name, &format!("{SHUTTLE}{turns}"));
        let ran = run(&["value", &path, "--depth", "4"]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
        assert!(ran.err.contains("A0608") && ran.err.contains(who) && ran.err.contains("position 1"), "{}", ran.err);
    }
}

/// Once MAX had won there: what is lost for whoever cannot move was lost for MIN if nobody was to move.
#[test]
fn where_who_cannot_move_loses_somebody_must_be_to_move() {
    let rules = "initial(max-2).\nmax_to_move(max-_).\nmin_to_move(min-_).\nno_moves(loss).\n\
                 move(S-N, take, T-M) :- N > 0, M is N - 1, swap(S, T).\nswap(max, other).\nswap(other, max).\n\
                 swap(min, max).\n:- expect(value(other-0) = win(max)).\n";
    let path = file("nobody.pl", rules);
    let both =
        file("everybody.pl", &rules.replace("min_to_move(min-_)", "min_to_move(_)").replace("other-0)", "max-0)"));
    for (path, at, who) in [(&path, "other-0", "neither side"), (&both, "max-0", "both sides")] {
        for command in
            [&["value"][..], &["value", "--depth", "3"], &["value", "--algorithm", "minimax"], &["solve"], &["moves"]]
        {
            let ran = run(&[&command[..1], &[path.as_str(), "--position", at], &command[1..]].concat());
            assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{command:?} {at}");
            assert!(ran.err.contains("A0608") && ran.err.contains(who), "{command:?} {at}: {}", ran.err);
        }
        let ran = run(&["test", path]);
        assert_ne!(ran.status, Some(0), "{}", ran.out);
        assert!(format!("{}{}", ran.out, ran.err).contains("A0608"), "{}{}", ran.out, ran.err);
    }
    // On the way to such a position as well.
    for command in [&["value", path.as_str()][..], &["solve", &path]] {
        let ran = run(command);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{command:?}");
        assert!(ran.err.contains("A0608"), "{command:?}: {}", ran.err);
    }
}

#[test]
fn an_answer_of_no_use_is_shown_at_the_clause_that_gave_it() {
    let rules = "initial(0).\nmax_to_move(0).\nmove(0, go, 1).\nstatic_eval(0, 0).\nstatic_eval(1, much).\n";
    let (_, found) = json(&["value", &file("much.pl", rules)]);
    let error = &found["error"];
    assert_eq!((&error["code"], &error["places"][0]["line"]), (&"A0606".into(), &5.into()));
}

/// Once the label was asked as a goal, and two messages said to define it.
#[test]
fn a_label_of_a_shape_that_no_label_has_is_no_goal() {
    let rules = "initial(0).\nmax_to_move(N) :- N mod 2 =:= 0.\nno_moves(draw).\nacyclic.\n\
                 move(0, push(1, 3), 1).\nmove(1, hit(1, 2, 3), 2).\n";
    let path = file("labels.pl", rules);
    for (typed, help) in [
        ("pull(1,2)", "labels are push(_, _) or hit(_, _, _)"),
        ("hit(1,1)", "labels are push(_, _) or hit(_, _, _)"),
        ("puch(1,3)", "did you mean push(1,3)? labels are push(_, _)"),
    ] {
        let (_, found) = json(&["whynot", &path, typed]);
        let error = &found["error"];
        assert_eq!(error["code"], "A0615", "{typed}: {found:?}");
        assert!(error["help"].as_str().is_some_and(|said| said.contains(help)), "{typed}: {error}");
    }
    // A goal that is misspelt stays one.
    let ran = run(&["whynot", &path, "max_to_mov(0)"]);
    assert!(ran.err.contains("max_to_move/1") && !ran.err.contains("A0615"), "{}", ran.err);
}

/// Once the help was to add a last clause, which hides the bug.
#[test]
fn an_evaluation_of_other_terms_is_told_apart_from_one_that_lacks_a_case() {
    let rules = "initial(max-2).\nmax_to_move(max-_).\nno_moves(eval).\n\
                 move(S-N, take, S-M) :- N > 0, M is N - 1.\nstatic_eval(_/N, N).\n";
    let ran = run(&["value", &file("other_terms.pl", rules)]);
    assert!(ran.err.contains("A0606") && ran.err.contains("the clause in line 5 takes _/_"), "{}", ran.err);
    assert!(!ran.err.contains("last clause"), "{}", ran.err);
}

#[test]
fn solve_advises_what_solve_can_do() {
    let path = file("shuttle_solved.pl", &format!("{SHUTTLE}max_to_move(0).\n"));
    let ran = run(&["solve", &path, "--method", "alphabeta"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("A0610") && ran.err.contains("retrograde") && !ran.err.contains("--depth"), "{}", ran.err);
    let rules = "initial(0).\nmax_to_move(_).\nmove(N, go, M) :- N < 99999, M is N + 1.\noutcome(_, draw).\n";
    let ran = run(&["solve", &file("corridor.pl", rules), "--method", "pns", "--memory", "2M"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("A0630") && !ran.err.contains("--method pns"), "{}", ran.err);
}

/// Once failed: behind the horizon all moves were followed for 64 plies, to and fro.
#[test]
fn a_game_that_never_comes_to_rest_is_searched_soon() {
    let rules = "initial(at(3, 3)).\nmax_to_move(_).\nquiet(at(0, 0)).\nstatic_eval(at(X, Y), V) :- V is X * Y mod 7.\n\
                 move(at(X, Y), to(A, B), at(A, B)) :-\n    member(D-E, [0-1, 1-0, 0-(-1), -1-0]),\n    \
                 A is (X + D) mod 8, B is (Y + E) mod 8.\n";
    for more in ["", "repetition(draw).\n"] {
        let ran = run(&["value", &file("restless.pl", &format!("{rules}{more}")), "--depth", "2"]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(ran.out.contains("value"), "{}", ran.out);
    }
}

#[test]
fn a_value_at_the_edge_is_no_proof_where_play_may_have_no_end() {
    let rules =
        format!("{}max_to_move(0).\nvalue_range(1, 1).\n", SHUTTLE.replace("static_eval(N, N)", "static_eval(_, 1)"));
    let ran = run(&["value", &file("edge.pl", &rules), "--depth", "3"]);
    assert!(ran.out.contains("an estimate"), "{}", ran.out);
    let ran = run(&["value", &file("edge_acyclic.pl", &format!("{rules}acyclic.\n")), "--depth", "3"]);
    assert!(ran.out.contains("exact"), "{}", ran.out);
}

#[test]
fn an_option_that_the_algorithm_does_not_heed_is_told() {
    let value = |algorithm: &str, option: &[&str]| {
        run(&[&["value", "games/bratko.pl", "--algorithm", algorithm], option].concat())
    };
    for option in [&["--lines", "2"][..], &["--threads", "2"], &["--hash", "8"], &["--seed", "1"], &["--heuristic"]] {
        let idle = ["minimax", "f1", "f2", "f2g2", "alphabeta", "pvs", "mtdf"];
        for algorithm in idle.into_iter().filter(|name| *name != "mtdf" || option[0] != "--hash") {
            let ran = value(algorithm, option);
            let told = format!("note: {} means nothing to --algorithm {algorithm}: it is for auto", option[0]);
            assert!(ran.status == Some(0) && ran.err.starts_with(&told), "{told}: {}", ran.err);
        }
        let ran = value("auto", option);
        assert!(ran.status == Some(0) && !ran.err.contains("means nothing"), "{option:?}: {}", ran.err);
    }
    assert_eq!(value("mtdf", &["--hash", "8"]).status, Some(0));
    assert_eq!(value("minimax", &["--threads", "1", "--lines", "1"]).status, Some(0));
}

/// Once it was a panic.
#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_told_as_a_wrong_one() {
    use std::os::unix::ffi::OsStrExt;
    for more in [&[][..], &["--json"]] {
        let ran = command().arg(std::ffi::OsStr::from_bytes(b"\xff")).args(more).output().expect("the binary starts");
        assert_eq!(ran.status.code(), Some(2), "{}", text(ran.stderr));
    }
}

#[test]
fn one_of_a_kind_is_no_plural() {
    for (args, told) in [
        (&["value", "games/nim.pl", "--nodes", "1"][..], "after 1 node,"),
        (&["lab", "ties", "--trees", "1", "--leaves", "1"], "1 tree, branching 2, depth 4, leaves among 1 value,"),
        (&["lab", "random", "--branching", "2", "--depth", "1", "--trees", "1"], "1 tree of each height"),
        (&["lab", "critical", "1", "1"], "of 1 leaf every"),
        (&["value", "games/nim.pl", "--steps", "1"], "more than 1 step "),
    ] {
        let ran = run(args);
        assert!(ran.out.contains(told) || ran.err.contains(told), "{told}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn warnings_of_a_game_stand_beside_the_result() {
    let toy = file("toy_warning.pl", TOY);
    let ran = run(&["perft", &toy, "--depth", "1"]);
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.contains("stands only once")),
        (Some(0), "  1  2\n", true),
        "{}",
        ran.err
    );
    let ran = run(&["query", &toy, "static_eval(b, V)"]);
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.contains("stands only once")),
        (Some(0), "V = 1\n", true),
        "{}",
        ran.err
    );
}

/// The first answer shows that the goal runs; only then is it interrupted.
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

/// Asking for no answer is no search that failed.
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

// The small commands.

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
