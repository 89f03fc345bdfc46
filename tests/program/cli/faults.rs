//! Tests how the command line reports mistakes in games, in values and in options.

use super::{command, file, json, run, text};

/// The rest of a game with two positions. Each test adds the player to move.
const SHUTTLE: &str = "initial(0).\nmove(0, go, 1).\nmove(1, back, 0).\nstatic_eval(N, N).\n";

/// Regression test: the search went deeper and deeper for ever.
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
        ("both.pl", "max_to_move(_).\nmin_to_move(1).\n", "each side is to move"),
        ("neither.pl", "max_to_move(0).\nmin_to_move(2).\n", "neither side"),
    ] {
        let path = file(name, &format!("{SHUTTLE}{turns}"));
        let ran = run(&["value", &path, "--depth", "4"]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
        assert!(ran.err.contains("A0608") && ran.err.contains(who) && ran.err.contains("position 1"), "{}", ran.err);
    }
}

/// Regression test: if no player was to move in a position without moves, MAX won.
#[test]
fn where_who_cannot_move_loses_somebody_must_be_to_move() {
    let rules = "initial(max-2).\nmax_to_move(max-_).\nmin_to_move(min-_).\nno_moves(loss).\n\
                 move(S-N, take, T-M) :- N > 0, M is N - 1, swap(S, T).\nswap(max, other).\nswap(other, max).\n\
                 swap(min, max).\n:- expect(value(other-0) = win(max)).\n";
    let path = file("nobody.pl", rules);
    let both =
        file("everybody.pl", &rules.replace("min_to_move(min-_)", "min_to_move(_)").replace("other-0)", "max-0)"));
    for (path, at, who) in [(&path, "other-0", "neither side"), (&both, "max-0", "each side is to move")] {
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
    // The error also occurs on the way to such a position.
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

/// Regression test: the label was run as a goal, and two messages suggested to define it.
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
    // A misspelt goal is still a goal.
    let ran = run(&["whynot", &path, "max_to_mov(0)"]);
    assert!(ran.err.contains("max_to_move/1") && !ran.err.contains("A0615"), "{}", ran.err);
}

/// Regression test: the help suggested a last clause that succeeds for any position, which hides the mistake.
#[test]
fn an_evaluation_of_other_terms_is_told_apart_from_one_that_lacks_a_case() {
    let rules = "initial(max-2).\nmax_to_move(max-_).\nno_moves(eval).\n\
                 move(S-N, take, S-M) :- N > 0, M is N - 1.\nstatic_eval(_/N, N).\n";
    let ran = run(&["value", &file("other_terms.pl", rules)]);
    assert!(ran.err.contains("A0606") && ran.err.contains("the clause in line 5 has _/_"), "{}", ran.err);
    assert!(!ran.err.contains("last clause"), "{}", ran.err);
}

/// Regression test: a position with a form of its own, which ends the game, gave a warning that no clause of
/// move/3 takes it. Random play gave an error that static_eval/2 fails there, although outcome/2 decides.
#[test]
fn an_end_with_a_form_of_its_own_is_right() {
    for name in ["value", "result"] {
        let path = format!("tests/right/ends_with_a_form_and_a_{name}.pl");
        let ran = run(&["check", &path]);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        assert_eq!(run(&["value", &path, "--depth", "9"]).status, Some(0));
    }
    // Without outcome/2, a position that is over is evaluated.
    let rules = std::fs::read_to_string("tests/right/ends_with_a_form_and_a_result.pl").expect("the file is there");
    let path = file("ends_without_result.pl", &rules.replace("outcome(e(V), score(V)).\n", ""));
    let ran = run(&["check", &path]);
    assert!(ran.err.contains("A0606") && ran.err.contains("static_eval/2 fails"), "{}", ran.err);
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

/// Regression test: quiescence search followed all moves for 64 plies beyond the horizon.
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
            let told = format!(
                "note: {} has no effect with --algorithm {algorithm}: {} is only for auto",
                option[0], option[0]
            );
            assert!(ran.status == Some(0) && ran.err.starts_with(&told), "{told}: {}", ran.err);
        }
        let ran = value("auto", option);
        assert!(ran.status == Some(0) && !ran.err.contains("has no effect"), "{option:?}: {}", ran.err);
    }
    assert_eq!(value("mtdf", &["--hash", "8"]).status, Some(0));
    assert_eq!(value("minimax", &["--threads", "1", "--lines", "1"]).status, Some(0));
}

/// Regression test: this was a panic.
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

/// Regression test: the help for a typed position of a wrong form said to change a clause.
#[test]
fn a_typed_position_is_checked_before_the_rules() {
    let path = file(
        "typed_position.pl",
        "initial(s(max, 3)).\nmax_to_move(s(max, _)).\nother(max, min).\nother(min, max).\n\
         move(s(P, N), K, s(Q, M)) :- member(K, [1, 2]), K =< N, M is N - K, other(P, Q).\n\
         outcome(s(max, 0), win(min)).\noutcome(s(min, 0), win(max)).\n",
    );
    for at in ["s(max)", "s(max, -1)", "t(1)"] {
        let ran = run(&["value", &path, "--position", at]);
        assert_eq!(ran.status, Some(2), "{}", ran.err);
        assert!(ran.err.contains("this position was typed, and no rule made it"), "{at}: {}", ran.err);
        assert!(!ran.err.contains("in the clause"), "{at}: {}", ran.err);
    }
    // The cause comes first.
    let ran = run(&["value", &path, "--position", "s(max)"]);
    assert!(ran.err.find("A0311") < ran.err.find("A0606"), "{}", ran.err);
    // A position that the rules make has no such help.
    let ran = run(&["value", &path, "--position", "s(max, 2)"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
}

/// Regression test: errors of arguments had the words of Rust's parser, such as "1 is not in 2..=9".
#[test]
fn a_wrong_number_is_refused_in_plain_words() {
    for (args, told) in [
        (&["value", "x.pl", "--depth", "x"][..], "invalid value 'x' for '--depth <N>': write a whole number"),
        (&["value", "x.pl", "--threads", "0"], "write a whole number from 1 to 1024"),
        (&["perft", "x.pl", "--depth", "-1"], "write a whole number from 0 to 10000"),
        (&["value", "x.pl", "--nodes", "1e5"], "write a whole number"),
        (&["check", "x.pl", "--playouts", "99999999999"], "write a whole number"),
    ] {
        let ran = run(args);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.err.contains(told), "{args:?}: {}", ran.err);
        for word in ["digit", "..", "fit in", " is not in "] {
            assert!(!ran.err.contains(word), "{args:?}: {}", ran.err);
        }
    }
}

/// Regression test: A0602 spoke of a term that grows, and not of the recursion that never ends.
#[test]
fn a_recursion_that_fills_the_memory_is_named() {
    let rules = "initial(0).\nmax_to_move(0).\nmove(0, go, 1) :- grow(3, []).\nstatic_eval(N, N).\n\
                 grow(0, _).\ngrow(N, L) :- M is N + 1, grow(M, [N|L]), M > 0.\n";
    let ran = run(&["value", &file("grows.pl", rules), "--memory", "16M"]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    for words in ["A0602", "this call repeats", "grow/2 calls itself", "come nearer to grow(0, _)", "--memory BYTES"] {
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
    }
}

/// Regression test: A0601 blamed a recursion over a list, which always ends, and not its caller.
#[test]
fn a_recursion_that_never_ends_is_named_before_one_that_ends() {
    let rules = "initial(0).\nmax_to_move(0).\nmove(0, go, 1) :- count_up(1, 1).\nstatic_eval(N, N).\n\
                 count_up(K, M) :- numlist(1, K, L), total(L, S), S < 0, count_up(K, M).\n\
                 count_up(K, M) :- J is K + 1, count_up(J, M).\n\
                 total([], 0).\ntotal([X|Xs], S) :- total(Xs, T), S is T + X.\n";
    let ran = run(&["value", &file("counts_up.pl", rules), "--steps", "100000"]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    for words in ["A0601", "count_up/2 calls itself", "add a clause of count_up/2"] {
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
    }
}

/// Regression test: A0601 called the endless answers of repeat/0, and of length/2, a recursion.
#[test]
fn a_goal_with_answers_without_end_is_no_recursion() {
    for (goal, is_endless) in [
        ("repeat, X = 1, X > 1", true),
        ("length(L, N), N < 0, L = []", true),
        ("once((between(1, inf, X), X > 3)), down(X)", false),
        ("repeat, !, down(1)", false),
        ("( 1 > 2, length(L, N), N < 0, L = [] ; down(1) )", false),
    ] {
        let rules = format!(
            "initial(0).\nmax_to_move(0).\nmove(0, go, 1) :- {goal}.\nstatic_eval(N, N).\ndown(0).\n\
             down(N) :- M is N + 1, down(M).\n"
        );
        let ran = run(&["value", &file("endless.pl", &rules), "--steps", "20000"]);
        assert!(ran.err.contains("A0601"), "{goal}: {}", ran.err);
        assert_eq!(ran.err.contains("has answers without end"), is_endless, "{goal}: {}", ran.err);
        assert_eq!(ran.err.contains("down/1 calls itself"), !is_endless, "{goal}: {}", ran.err);
    }
}
