//! Tests the short random game that `check` plays, and the messages about long waits that are interrupted.

use super::{command, file, json, run};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Rules with an error at the first move.
const WRONG: &str = "\
initial(p(max, 5)).
max_to_move(p(max, _)).
min_to_move(p(min, _)).
terminal(p(_, 0)).
move(p(max, N), take(K), p(min, M)) :- take(N, K, M).
move(p(min, N), take(K), p(max, M)) :- take(N, K, M).
take(N, K, M) :- between(1, 2, K), worth(K, W), M is N - W, M >= 0.
worth(1, one).
worth(2, 2).
static_eval(_, 0).
";

/// Regression test: only `--playouts` found that the game cannot be played.
#[test]
fn check_plays_the_first_moves() {
    let path = file("wrong_at_once.pl", WRONG);
    let ran = run(&["check", &path]);
    assert!(ran.status == Some(1) && ran.err.contains("one"), "{}{}", ran.out, ran.err);
    assert_eq!(run(&["check", &path]).err, ran.err, "the same game is played each time");
    let ran = run(&["check", &path, "--playouts", "0"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let no_moves = file(
        "no_moves_at_once.pl",
        "initial(p).\nmax_to_move(p).\nterminal(q).\nmove(r, go, q).\nstatic_eval(_, 0).\n",
    );
    let ran = run(&["check", &no_moves]);
    assert!(ran.status == Some(1) && ran.err.contains("A06"), "{}{}", ran.out, ran.err);
}

/// The short game gives no warnings about what only a longer game would show.
#[test]
fn check_says_nothing_of_a_game_that_only_goes_on() {
    let rules =
        "initial(0).\nmax_to_move(0).\nmin_to_move(N) :- N > 0.\nmove(N, step, M) :- M is N + 1.\nstatic_eval(_, 0).\n";
    let path = file("goes_on.pl", rules);
    assert_eq!((run(&["check", &path]).err.as_str(), run(&["check", &path]).status), ("", Some(0)));
}

/// Regression test: Ctrl-C after ten seconds without output printed nothing.
#[test]
fn a_check_that_is_stopped_says_how_many_games_were_played() {
    let mut child = command()
        .args(["check", "games/othello.pl", "--playouts", "4000000"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("alphorn starts");
    std::thread::sleep(Duration::from_secs(3));
    let interrupt = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.is_ok_and(|status| status.success()));
    let mut err = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut err).expect("it is text");
    let status = child.wait().expect("it ends");
    assert!(err.contains("stopped: ") && err.contains(" of 4,000,000 games played"), "{err}");
    assert_eq!(status.code(), Some(130), "{err}");
}

/// Regression test: in a slow game the search of `--cost` took up to 17 s.
#[test]
fn the_search_for_costs_ends_after_three_seconds() {
    let slow = "\
initial(7-max).
max_to_move(_-max).
moves(N-Who, L) :- Turn = Who-Next, turn(Turn), findall(M-Next, (between(1, 2, K), M is N - K, M >= 0), L).
terminal(0-_).
turn(max-min).
turn(min-max).
static_eval(_, V) :- numlist(1, 300000, L), foldl([X, S, T]>>(T is S + X), L, 0, Sum), V is Sum mod 2.
";
    let path = file("slow_costs.pl", slow);
    let note = "the play that puts slow places in order stopped after 3 s, because the rules are slow";
    let begun = Instant::now();
    let (status, found) = json(&["check", "--cost", "--playouts", "0", &path]);
    // Without its limit the search evaluates hundreds of positions, at more than a tenth of a second each.
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert_eq!((status, &found["files"][0]["notes"][0]), (Some(0), &Value::from(note)));
    assert!(found["files"][0]["cost"].as_array().is_some_and(|costs| !costs.is_empty()), "{found:?}");
    let quick = file("quick_costs.pl", &slow.replace("300000", "3"));
    let (_, found) = json(&["check", "--cost", "--playouts", "0", &quick]);
    assert_eq!(found["files"][0]["notes"], Value::Array(Vec::new()));
}
