//! Tests moves as people type them: in the place of a goal, by number, and in positions without moves.

use super::{file, json, run};
use serde_json::Value;

/// A game whose `shown_move/3` shows moves in another way than their labels.
const SHOWN: &str = "\
initial(p(max, [a1, a2, b1])).
max_to_move(p(max, _)).
min_to_move(p(min, _)).
no_moves(draw).
move(p(max, Free), put(Cell, Piece), p(min, Rest)) :- select(Cell, Free, Rest), member(Piece, [red, blue]).
move(p(min, Free), put(Cell, Piece), p(max, Rest)) :- select(Cell, Free, Rest), member(Piece, [red, blue]).
shown_move(_, put(Cell, Piece), Text) :- atomic_list_concat([Cell, '/', Piece], Text).
";

/// Regression test: `a1` was reported as an undefined predicate and 99 as not callable, each twice.
#[test]
fn a_text_in_the_place_of_a_move_is_told_with_the_legal_moves() {
    let shown = file("shown_moves.pl", SHOWN);
    for (game, text, told) in [
        (shown.as_str(), "a3", "a3 is not a legal move"),
        (&shown, "99", "99 is not a legal move"),
        (&shown, "a1", "a1 is the beginning of 2 moves"),
        (&shown, "5/2", "5/2 is not a legal move"),
        (&shown, "zqxj", "as a goal, zqxj/0 is not defined"),
        ("games/hexapawn.pl", "a1a3", "a1a3 is not a legal move"),
        ("games/tictactoe.pl", "99", "99 is not a legal move"),
        ("games/othello.pl", "99", "99 is not a legal move"),
    ] {
        for command in ["why", "whynot"] {
            let ran = run(&[command, game, text]);
            assert!(ran.status == Some(2) && ran.err.contains(told), "{command} {text}: {}{}", ran.out, ran.err);
            let problems = ran.err.lines().filter(|line| line.starts_with("A0")).count();
            assert!(problems == 1 && ran.err.contains("A0615"), "{command} {text}: {}", ran.err);
        }
    }
    let ran = run(&["why", "games/tictactoe.pl", "5/2"]);
    assert!(!ran.err.contains("lambda_") && !ran.err.contains("throw("), "{}", ran.err);
}

#[test]
fn an_illegal_move_is_not_called_false_and_a_legal_one_not_true() {
    let shown = file("shown_again.pl", SHOWN);
    for (command, game, text, told) in [
        ("why", "games/othello.pl", "a1", "a1 is not a legal move; alphorn whynot explains why\n"),
        ("whynot", "games/othello.pl", "d3", "d3 is legal; alphorn why shows the proof\n"),
        ("whynot", &shown, "a1/red", "a1/red is legal; alphorn why shows the proof\n"),
        ("whynot", &shown, "put(a1, red)", "a1/red is legal; alphorn why shows the proof\n"),
        ("whynot", "games/tictactoe.pl", "5", "move 5 is legal; alphorn why shows the proof\n"),
        ("why", "games/nim.pl", "member(a, [b])", "false; alphorn whynot explains why\n"),
    ] {
        let ran = run(&[command, game, text]);
        assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(1), told, ""), "{command} {text}");
    }
}

#[test]
fn one_mistake_of_a_goal_is_told_once() {
    for (args, code) in [
        (&["query", "games/nim.pl", "foo(1)"][..], "A0603"),
        (&["why", "zqxj(1)"], "A0603"),
        (&["whynot", "zqxj(1)"], "A0603"),
        (&["why", "99"], "A0603"),
        (&["whynot", "games/nim.pl", "zqxj(1)"], "A0615"),
        (&["query", "foo(1)"], "A0603"),
        (&["query", "99"], "A0603"),
        (&["query", "5/2"], "A0603"),
    ] {
        let ran = run(args);
        let codes: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("A0")).collect();
        assert_eq!((ran.status, codes), (Some(2), vec![code]), "{args:?}: {}", ran.err);
        assert!(!ran.err.contains("lambda_copy") && !ran.err.contains("lambda free"), "{args:?}: {}", ran.err);
    }
}

/// Regression test: only the prompt accepted the numbers that `moves` prints.
#[test]
fn a_number_of_the_list_of_moves_names_that_move() {
    let by_name = run(&["moves", "games/othello.pl", "--moves", "d3 c5"]);
    let by_number = run(&["moves", "games/othello.pl", "--moves", "1 c5"]);
    assert_eq!((by_name.status, &by_name.out), (Some(0), &by_number.out), "{}", by_number.err);
    // If labels are numbers, a number is a label.
    let four = run(&["moves", "games/connect_four.pl", "--moves", "1 1 1 1 1 1 1"]);
    assert!(four.status == Some(2) && four.err.contains("move 7, 1, is not legal"), "{}", four.err);
}

#[test]
fn what_min_gives_away_is_less_for_max() {
    let rules = "initial(a).\nmin_to_move(a).\nmove(a, good, b).\nmove(a, bad, c).\nterminal(b).\nterminal(c).\n\
                 static_eval(a, 0).\nstatic_eval(b, -10).\nstatic_eval(c, 3).\n";
    let path = file("min_moves.pl", rules);
    let ran = run(&["explain", &path, "bad", "--depth", "1"]);
    assert!(ran.out.contains("the best is good: -10, 13 less\n"), "{}{}", ran.out, ran.err);
    let max = file("max_moves.pl", &rules.replace("min_to_move", "max_to_move"));
    let ran = run(&["explain", &max, "good", "--depth", "1"]);
    assert!(ran.out.contains("the best is bad: 3, 13 more\n"), "{}{}", ran.out, ran.err);
}

/// Regression test: the help began with `terminal/1`, and its command named FILE instead of the file.
#[test]
fn a_position_without_moves_is_told_with_the_command_that_says_why() {
    let path = file(
        "no_move.pl",
        "initial(p(1)).\nmax_to_move(_).\nterminal(p(0)).\nmove(p(2), go, p(0)).\nstatic_eval(_, 0).\n",
    );
    let ran = run(&["value", &path]);
    let told = format!("alphorn whynot {path} 'move(p(1), M, N)' shows which goal fails");
    let told: String = told.split_whitespace().collect();
    let err: String = ran.err.split_whitespace().collect();
    let (why, over) = (err.find(&told), err.find("ifthegameisoverinthisposition"));
    assert!(ran.status == Some(2) && why.is_some() && why < over, "{}", ran.err);
}

/// Regression test: a search without enough time gave no move.
#[test]
fn there_is_a_legal_move_however_short_the_time() {
    for game in ["chess", "tictactoe", "checkers", "nim", "gomoku"] {
        let path = format!("games/{game}.pl");
        let (status, found) = json(&["value", &path, "--time", "0.000001"]);
        let (_, listed) = json(&["moves", &path]);
        let first = &listed["moves"][0]["label"];
        assert_eq!((status, &found["value"], &found["stopped"]), (Some(0), &Value::Null, &Value::Bool(true)), "{game}");
        assert_eq!((&found["best"], &found["pv"][0]), (first, first), "{game}");
    }
    let ran = run(&["value", "games/chess.pl", "--time", "0.000001"]);
    assert!(ran.out.contains("\nbest   a2a3: the first legal move, not searched\n"), "{}", ran.out);
}

/// Regression test: the score of a game that ends with `score(N)` was not shown.
#[test]
fn a_game_that_ends_with_a_score_shows_it() {
    let rules = "initial(p(0, 0)).\nmax_to_move(p(N, _)) :- N mod 2 =:= 0.\n\
                 move(p(N, S), add(K), p(M, T)) :- N < 2, member(K, [1, 3]), M is N + 1, T is S + K / 2.\n\
                 outcome(p(2, S), score(S)).\nacyclic.\n";
    let path = file("scored.pl", rules);
    let ran = run(&["moves", &path, "--moves", "add(3) add(1)"]);
    assert!(ran.out.contains("the game is over: MAX wins, 2 for MAX"), "{}{}", ran.out, ran.err);
    let (_, object) = json(&["moves", &path, "--moves", "add(3) add(1)"]);
    assert_eq!(object["points"], 2.0);
    let (_, object) = json(&["moves", &path]);
    assert!(object["points"].is_null());
    let ran = run(&["play", &path, "--as", "none", "--level", "1"]);
    assert!(ran.out.contains(" for MAX"), "{}{}", ran.out, ran.err);
}
