//! Regression tests of wrong answers to newcomers: rankings that mixed depths, warnings about correct games,
//! missing warnings, and messages about Alphorn's own code.

use super::{file, json, run};
use serde_json::Value;

/// A game of two piles with one kind of label for each pile; the player who moves last wins.
const PILES: &str = "\
initial(p(max, 2, 1)).
max_to_move(p(max, _, _)).
move(p(S, A, B), left(N), p(T, C, B)) :- other(S, T), between(1, A, N), C is A - N.
move(p(S, A, B), right(N), p(T, A, C)) :- other(S, T), between(1, B, N), C is B - N.
other(max, min).
other(min, max).
";

/// The codes and the diagnostics that `check` reports for a text.
fn checked(name: &str, text: &str, args: &[&str]) -> (Vec<String>, String) {
    let path = file(name, text);
    let (_, found) = json(&[&["check", &path], args].concat());
    let problems = found["files"][0]["problems"].as_array().cloned().unwrap_or_default();
    let codes = problems.iter().filter_map(|problem| problem["code"].as_str().map(str::to_string)).collect();
    (codes, Value::Array(problems).to_string())
}

/// Regression test: a stopped search compared moves of one depth with the best move of the next depth.
#[test]
fn moves_are_ranked_by_one_depth() {
    let mut stopped = 0;
    for (game, mv) in [("games/breakthrough.pl", "a2-a3"), ("games/othello.pl", "d3")] {
        for nodes in ["300", "700", "1500", "4000"] {
            let args = ["explain", game, mv, "--nodes", nodes, "--threads", "1"];
            let (status, found) = json(&args);
            if status != Some(0) {
                continue;
            }
            let depth = found["depth"].to_string();
            let (_, whole) = json(&["explain", game, mv, "--depth", &depth, "--threads", "1"]);
            for key in ["value", "better_moves", "depth"] {
                assert_eq!(found[key], whole[key], "{args:?}: {key}");
            }
            assert_eq!(found["best"]["value"], whole["best"]["value"], "{args:?}");
            if found["stopped"] == true {
                stopped += 1;
                let told = run(&args).out;
                assert!(told.contains(&format!("note   the search was stopped after depth {depth}\n")), "{told}");
            }
            let value = ["value", game, "--lines", "3", "--threads", "1"];
            let (_, some) = json(&[&value[..], &["--nodes", nodes]].concat());
            let depth = some["depth"].to_string();
            let (_, all) = json(&[&value[..], &["--depth", &depth]].concat());
            let values = |found: &serde_json::Map<String, Value>| -> Vec<Value> {
                found["lines"].as_array().into_iter().flatten().map(|line| line["value"].clone()).collect()
            };
            if some["finished"] == true {
                assert_eq!(values(&some), values(&all), "{game} {nodes}");
            }
        }
    }
    assert!(stopped > 2, "{stopped}");
}

/// Regression test: the help broke a line inside a label, between `2-` and `9`.
#[test]
fn labels_are_not_broken_over_two_lines() {
    let game = "initial(p(max)).\nmax_to_move(p(max)).\nno_moves(loss).\n\
                move(p(max), A-N, p(min)) :- A = 2, between(10, 99, N).\n";
    let told = run(&["explain", &file("hyphens.pl", game), "2-100"]).err;
    assert!(told.contains("2-17") && !told.lines().any(|line| line.ends_with("2-")), "{told}");
}

/// Regression test: the text was called more than one move, because its first word is the number of a move.
#[test]
fn a_goal_in_the_place_of_a_move_was_called_several_moves() {
    for goal in ["1 = 1", "1 < 2", "X = 1", "other(max, X)"] {
        let told = run(&["explain", "games/nim.pl", goal]).err;
        assert!(told.contains(&format!("{goal} is a goal, not a move")), "{goal}: {told}");
        assert!(told.contains(&format!("alphorn why games/nim.pl '{goal}' explains the goal")), "{goal}: {told}");
        assert!(run(&["why", "games/nim.pl", goal]).out.contains("other(max") || !goal.starts_with("other"), "{goal}");
    }
    // Other texts are moves that are not legal.
    for text in ["take(9,9)", "foo(3)", "foo bar"] {
        let told = run(&["explain", "games/nim.pl", text]).err;
        assert!(told.contains(&format!("{text} is not a legal move")), "{text}: {told}");
    }
}

/// A game with an extension, null moves and evaluations of another size than its results, on which searches once
/// disagreed.
#[test]
fn searches_agree_on_a_game_with_an_extension_and_null_moves() {
    for depth in ["1", "2", "3", "4", "5"] {
        let found = ["minimax", "alphabeta", "pvs", "mtdf", "auto"].map(|algorithm| {
            let (_, found) =
                json(&["value", "tests/data/heur_overflow.pl", "--depth", depth, "--algorithm", algorithm]);
            (found["value"].clone(), found["exact"].clone())
        });
        let exact = depth.parse::<u32>().is_ok_and(|depth| depth > 2);
        assert!(found.iter().all(|found| *found == ((-3).into(), exact.into())), "{depth}: {found:?}");
    }
}

/// Regression test: without a limit the search ran for ever.
#[test]
fn a_move_is_explained_soon_where_no_limit_is_given() {
    let args = ["explain", "games/breakthrough.pl", "a2-a3", "--threads", "1"];
    let told = run(&args);
    assert_eq!(told.status, Some(0), "{}", told.err);
    assert!(told.out.contains("set another limit with --depth, --nodes or --time"), "{}", told.out);
}

#[test]
fn the_last_to_move_wins_needs_no_evaluation() {
    let (codes, told) =
        checked("normal_play.pl", &format!("{PILES}no_moves(loss).\nacyclic.\n"), &["--playouts", "20"]);
    assert!(codes.is_empty(), "{told}");
    for rules in ["no_moves(draw).\n", "no_moves(eval).\n", ""] {
        let (codes, told) = checked("no_evaluation.pl", &format!("{PILES}{rules}acyclic.\n"), &[]);
        assert_eq!(codes, ["A0505"], "{rules}: {told}");
    }
}

#[test]
fn every_image_of_a_position_is_tested() {
    let game = format!("{PILES}static_eval(p(_, A, B), V) :- V is A - B.\nacyclic.\n");
    for (symmetry, wrong) in [
        ("symmetry(P, P).\n", false),
        ("symmetry(P, P).\nsymmetry(p(S, A, B), p(S, B, A)).\n", true),
        ("symmetry(P, P).\nsymmetry(P, P).\nsymmetry(p(S, A, B), p(S, A, C)) :- C is B + 1.\n", true),
        ("canonical(P, P).\n", false),
    ] {
        let (codes, told) = checked("images.pl", &format!("{game}{symmetry}"), &["--playouts", "20"]);
        assert_eq!(codes.contains(&"A0612".to_string()), wrong, "{symmetry}: {told}");
    }
    let level = PILES.to_string() + "no_moves(loss).\nacyclic.\n";
    let swapped = format!("{level}canonical(p(S, A, B), p(S, B, A)).\n");
    let (codes, told) = checked("swapped.pl", &swapped, &["--playouts", "20"]);
    assert!(codes == ["A0612"] && told.contains("changes its own answer"), "{told}");
    let least = format!("{level}canonical(p(S, A, B), p(S, C, D)) :- C is min(A, B), D is max(A, B).\n");
    assert!(checked("least.pl", &least, &["--playouts", "20"]).0.is_empty());
}

#[test]
fn a_game_predicate_with_an_argument_too_many_beside_the_right_one_is_told() {
    let game = format!("{PILES}no_moves(loss).\nacyclic.\n");
    for (more, code, name) in [
        ("move(p(S, 0, 0), pass, p(S, 0, 0), 1).\n", "A0508", "move/4"),
        ("max_to_move(p(min, _, _), 1).\n", "A0508", "max_to_move/2"),
        ("static_eval(_, 0).\nstatic_eval(_, _, 3).\n", "A0508", "static_eval/3"),
        ("other(max, min, 1).\n", "A0304", "other/3"),
    ] {
        let (codes, told) = checked("counted.pl", &format!("{game}{more}"), &[]);
        assert!(codes == [code] && told.contains(name), "{more}: {told}");
    }
    let helped = "no_moves(loss).\nacyclic.\nshow(P, [L]) :- show(P, L, 1).\nshow(_, x, _).\n";
    let (codes, told) = checked("helped.pl", &format!("{PILES}{helped}"), &[]);
    assert!(codes.is_empty(), "{told}");
}

#[test]
fn a_move_in_a_finished_game_is_not_legal() {
    let game = file("finished.pl", &format!("{PILES}terminal(p(_, 0, _)).\nstatic_eval(_, 0).\nacyclic.\n"));
    for (label, position) in [("right(1)", "p(max, 0, 1)"), ("right(7)", "p(min, 0, 1)"), ("left(1)", "p(max, 0, 0)")] {
        let told = run(&["whynot", &game, label, "--position", position]);
        assert!(told.out.contains("no move is legal here: the game is over"), "{label}: {}{}", told.out, told.err);
        assert!(!told.out.contains("Move"), "{}", told.out);
        assert_eq!(run(&["why", &game, label, "--position", position]).status, Some(1), "{label}");
    }
    let told = run(&["whynot", &game, "right(1)"]).out;
    assert!(told.starts_with("right(1) is legal;"), "{told}");
}

#[test]
fn what_is_nearly_a_move_is_no_goal() {
    let game = file("nearly.pl", &format!("{PILES}no_moves(loss).\nacyclic.\n"));
    for (typed, told) in [
        ("left(1, 1)", "left(1, 1) is not a legal move"),
        ("lef(1)", "did you mean left(1)?"),
        ("left 1", "did you mean left(1)?"),
        ("rigth(1)", "did you mean right(1)?"),
    ] {
        let err = run(&["whynot", &game, typed]).err;
        assert!(err.contains(told) && !err.contains("define it"), "{typed}: {err}");
    }
    // No move of this kind is legal here, but the rules have such moves.
    let told = run(&["whynot", &game, "right(1)", "--position", "p(max, 2, 0)"]);
    assert!(told.out.contains("between(1,0,1) fails") && told.err.is_empty(), "{}{}", told.out, told.err);
    let err = run(&["whynot", &game, "nowhere_at_all(1)"]).err;
    assert!(err.contains("A0615") && err.contains("labels are left(_) or right(_)"), "{err}");
}

#[test]
fn an_error_inside_the_library_is_told_of_the_goal_that_was_written() {
    let game = |body: &str| format!("{PILES}no_moves(loss).\nacyclic.\nstatic_eval(p(_, A, B), V) :- {body}.\n");
    for (body, goal, help) in [
        ("( memberchk([A], B) -> V = 1 ; V = 0 )", "in memberchk([A], B)", "memberchk("),
        ("N = B - 1, format(atom(_), \\\"~d ~d\\\", [A, N]), V = A", "found 1-1", "write X is 1-1"),
        ("V is popcnt(A) + B", "", "did you mean popcount(A)?"),
    ] {
        let (_, told) = checked("inside.pl", &game(&body.replace('\\', "")), &["--playouts", "5"]);
        assert!(told.contains(goal) && told.contains(help), "{body}: {told}");
        assert!(!told.contains("throw("), "{told}");
    }
}

#[test]
fn a_notation_that_is_not_read_back_is_told() {
    let game = format!("{PILES}no_moves(loss).\nacyclic.\n");
    let write = "write_position(p(S, A, B), T) :- atomic_list_concat([S, A, B], ' ', T).\n";
    for (read, said) in [
        (
            "read_position(T, p(S, A, B)) :- atomic_list_concat([S, X, Y], ' ', T), atom_number(X, A), atom_number(Y, B).\n",
            "",
        ),
        ("read_position(T, p(S, A, B)) :- atomic_list_concat([S, A, B], ' ', T).\n", "reads another position"),
        (
            "read_position(T, p(S, A, B)) :- atomic_list_concat([S, X, Y], '/', T), atom_number(X, A), atom_number(Y, B).\n",
            "cannot read",
        ),
    ] {
        let (codes, told) = checked("notation.pl", &format!("{game}{write}{read}"), &["--playouts", "5"]);
        assert_eq!((codes.is_empty(), told.contains(said)), (said.is_empty(), true), "{read}: {told}");
    }
}

#[test]
fn of_several_attempts_the_nearest_is_told() {
    let text = "way(X, Y) :- dir(D), step(X, D, Y).\ndir(1).\ndir(2).\ndir(3).\nstep(X, D, Y) :- X < D, even(D), Y > D.\neven(2).\n";
    let game = file("nearest.pl", text);
    let told = run(&["whynot", &game, "way(1, 2)"]).out;
    assert!(told.contains("2>2 fails") || told.contains("2 > 2 is false"), "{told}");
    assert!(told.contains("in one of 3 attempts, none of which succeeds"), "{told}");
}

#[test]
fn a_forgotten_argument_is_named() {
    let game = file("forgotten.pl", &format!("{PILES}no_moves(loss).\nacyclic.\n"));
    for (args, told) in [
        (&["explain", &game[..]][..], "the move is missing"),
        (&["query", &game], "the goal is missing"),
        (&["why", &game], "the goal is missing"),
        (&["whynot", &game], "the goal is missing"),
    ] {
        let ran = run(args);
        assert!(ran.status == Some(2) && ran.err.contains(told), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_match_that_begins_at_the_end_says_so() {
    let game = file("ended.pl", &format!("{PILES}no_moves(loss).\nacyclic.\n"));
    let args = ["match", &game, "--a", "--depth 1", "--b", "--depth 1", "--games", "2", "--position", "p(max, 0, 0)"];
    let ran = run(&args);
    assert!(ran.status == Some(2) && ran.err.contains("the game is over in the first position"), "{}", ran.err);
}

#[test]
fn a_position_without_moves_says_how_to_ask_why() {
    let game = format!("{PILES}terminal(p(_, 0, 7)).\nstatic_eval(_, 0).\nacyclic.\n");
    let (codes, told) = checked("stuck.pl", &game, &["--playouts", "5"]);
    assert!(codes == ["A0607"] && told.contains("/stuck.pl 'move(p(") && told.contains("alphorn whynot /"), "{told}");
}

/// Regression test: the line was reversed, and its last move was shown as the best move.
#[test]
fn a_line_of_strict_advice_begins_with_the_move_to_play() {
    let at = ["games/krk_bratko.pl", "--at", "8/8/8/8/2k5/8/3K4/R7 w - - 0 1"];
    let (status, found) = json(&[&["value"], &at[..], &["--advice", "strict"]].concat());
    assert_eq!((status, &found["best"], &found["pv"][0]), (Some(0), &"a1a2".into(), &"a1a2".into()), "{found:?}");
    let line: Vec<String> =
        found["pv"].as_array().expect("a line").iter().map(|mv| mv.to_string().replace('"', "")).collect();
    let ran = run(&[&["moves"], &at[..], &["--moves", &line.join(" ")]].concat());
    assert_eq!((line.len(), ran.status), (3, Some(0)), "{line:?} {}", ran.err);
}
