//! Tests of expectations, overlays, and labels that are terms.

use super::{file, json, run};

/// Two players on a ring, with draws by repetition: no search reaches the end of the game.
const RING: &str = "\
initial(ring(max, 30, 20)).
max_to_move(ring(max, _, _)).
move(ring(max, A, B), S, ring(min, C, B)) :- member(S, [1, -1]), C is (A + S) mod 400.
move(ring(min, A, B), S, ring(max, A, C)) :- member(S, [1, -1, 2, -2, 3]), C is (B + S) mod 400.
terminal(ring(_, 7, _)).
outcome(ring(_, 7, _), win(max)).
repetition(draw).
";

/// Regression test: alpha-beta search to the end of the game ran for ten minutes before it found a win in
/// one.
#[test]
fn a_claim_of_a_win_in_one_is_decided_where_play_need_not_end() {
    let claims = ":- expect(value(ring(max, 8, 20)) = win(max)).\n:- expect(value(ring(max, 8, 20)) = 999999).\n";
    let wrong = ":- expect(value(ring(max, 8, 20)) = draw).\n:- expect(value(ring(max, 8, 20)) = win(min)).\n";
    let right = file("ring_right.pl", &format!("{claims}{RING}"));
    let ran = run(&["test", &right]);
    assert_eq!((ran.status, ran.out), (Some(0), format!("{right}: 2 passed\n")), "{}", ran.err);
    let wrong = file("ring_wrong.pl", &format!("{wrong}{RING}"));
    let ran = run(&["test", &wrong]);
    assert_eq!((ran.status, ran.out), (Some(1), format!("{wrong}: 0 passed, 2 failed\n")), "{}", ran.err);
    assert!(ran.err.contains("the value is 999999 (win in 1)"), "{}", ran.err);
}

/// Regression test: an expectation whose search ran out of time was reported as one that does not hold.
#[test]
fn a_claim_that_time_is_too_short_for_is_not_decided() {
    let path = file("ring_open.pl", &format!(":- expect(value = win(max)).\n:- expect(perft(1) = 2).\n{RING}"));
    let ran = run(&["test", &path, "--time", "0.3"]);
    assert_eq!((ran.status, ran.out), (Some(2), format!("{path}: 1 passed, 1 not decided\n")), "{}", ran.err);
    assert!(ran.err.contains("A0624") && !ran.err.contains("A0616"), "{}", ran.err);
    assert!(ran.err.contains("--time"), "{}", ran.err);
    let (status, object) = json(&["test", &path, "--time", "0.3"]);
    let file = &object["files"][0];
    assert_eq!((status, &file["undecided"], &file["failed"]), (Some(2), &1.into(), &0.into()));
    let verdicts: Vec<_> = file["expectations"].as_array().expect("a list").iter().map(|row| &row["verdict"]).collect();
    assert_eq!(verdicts, ["undecided", "holds"]);
}

/// Null windows decide these claims long before the value is known: the player who is behind cannot win, and
/// the game has no last position.
#[test]
fn a_claim_is_refuted_without_its_value() {
    let game = "\
initial(s(max, 0)).
max_to_move(s(max, _)).
move(s(max, N), go(K), s(min, M)) :- between(1, 3, K), M is N + K.
move(s(min, _), stop, over).
move(s(min, N), go(K), s(max, M)) :- between(1, 3, K), M is N + K.
terminal(over).
outcome(over, draw).
acyclic.
";
    let path = file("endless.pl", &format!(":- expect(value = win(max)).\n:- expect(value = 5).\n{game}"));
    let ran = run(&["test", &path, "--time", "100"]);
    assert_eq!((ran.status, ran.out), (Some(1), format!("{path}: 0 passed, 2 failed\n")), "{}", ran.err);
    assert!(ran.err.contains("MAX cannot force a win"), "{}", ran.err);
    assert!(ran.err.contains("the value is less than 5"), "{}", ran.err);
}

/// Labels that are terms with the name of a library predicate.
const SLASHES: &str = "\
initial(p(max, [1, 2, 3, 4, 5])).
max_to_move(p(max, _)).
move(p(S, L), A/B, p(T, R)) :- other(S, T), select(A, L, L1), select(B, L1, R), B is A + 1.
static_eval(p(_, L), V) :- length(L, V).
other(max, min).
other(min, max).
acyclic.
";

/// Regression test: the label 5/2 ran the lambda predicate //2 of another library.
#[test]
fn a_label_that_could_be_called_is_a_label() {
    let path = file("slashes.pl", SLASHES);
    let ran = run(&["whynot", &path, "5/2"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains("2 is 5+1 fails: 5+1 is 6, not 2"), "{}", ran.out);
    let ran = run(&["why", &path, "1/2"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("move(p(max,[1,2,3,4,5]),1/2,"), "{}", ran.out);
    // A goal with a variable is a query, and so is a goal with the name of a predicate.
    let ran = run(&["why", &path, "other(max, X)"]);
    assert!(ran.out.starts_with("X = min\n"), "{}", ran.out);
    let ran = run(&["whynot", &path, "fail"]);
    assert!(ran.out.contains("fail is never true"), "{}", ran.out);
    let ran = run(&["explain", &path, "5/2"]);
    assert!(ran.err.contains("5/2 is not a legal move"), "{}", ran.err);
    // A text in the notation of people, which is not a label.
    let ran = run(&["whynot", "games/backgammon.pl", "8/3"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.contains("move(start,["), "{}", ran.out);
}

/// Regression test: a label with a prefix operator gave a syntax error in a goal that nobody typed, and texts
/// that mean labels ran as goals.
#[test]
fn a_text_is_a_goal_only_if_it_is_no_label() {
    let game = "\
:- use_module(library(lists)).
initial(b([1, 2, 3], max)).
max_to_move(b(_, max)).
move(b(L, P), X/Y, b([Y|R], Q)) :- select(X, L, R), member(Y, [5, 6]), X < 5, o(P, Q).
move(b(L, P), \\+ (X), b(R, Q)) :- select(X, L, R), X =:= 7, o(P, Q).
move(b(L, P), true, b(L, Q)) :- L = [_], o(P, Q).
o(max, min).
o(min, max).
static_eval(b(L, _), V) :- sum_list(L, V).
acyclic.
";
    let path = file("label_or_goal.pl", game);
    let ran = run(&["why", &path, "\\+7"]);
    assert_eq!((ran.err.as_str(), ran.out.contains("is not a legal move")), ("", true), "{}", ran.out);
    let ran = run(&["whynot", &path, "\\+7"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let ran = run(&["why", &path, "X/Y"]);
    assert!(ran.err.is_empty() && ran.out.contains("X = 1") && ran.out.contains("Y = 5"), "{} {}", ran.out, ran.err);
    let ran = run(&["whynot", &path, "Move/9"]);
    assert!(ran.err.is_empty() && !ran.out.contains("it is true"), "{} {}", ran.out, ran.err);
    let ran = run(&["whynot", &path, "true"]);
    assert!(ran.err.is_empty() && ran.out.contains("L = [_]"), "{} {}", ran.out, ran.err);
    // Another atom that can be called is a goal.
    let ran = run(&["why", &path, "acyclic"]);
    assert!(ran.out.starts_with("acyclic"), "{} {}", ran.out, ran.err);
    let game = "\
initial(p([1, 2, 3], max)).
max_to_move(p(_, max)).
move(p(L, P), m(X, Y), p(R, Q)) :- member(X, L), member(Y, L), X < Y, o(P, Q), subtract(L, [X, Y], R).
move(p([_], P), last, p([], Q)) :- o(P, Q).
o(max, min).
o(min, max).
shown_move(_, m(X, Y), T) :- !, format(atom(T), \"~w=~w\", [X, Y]).
shown_move(_, last, '1 = 1').
acyclic.
no_moves(loss).
";
    let path = file("shown_or_goal.pl", game);
    let ran = run(&["why", &path, "1 = 1"]);
    assert!(ran.err.is_empty() && ran.out.contains("1 = 1 is not a legal move"), "{} {}", ran.out, ran.err);
    let ran = run(&["why", &path, "1 = X"]);
    assert!(ran.out.starts_with("X = 1"), "{} {}", ran.out, ran.err);
}

/// Regression test: the help suggested a last clause that succeeds for any position, which hides the mistake.
#[test]
fn a_predicate_that_fails_names_the_clause_that_was_meant() {
    let game = "\
initial(ut(x, 0, 0, 0)).
max_to_move(ut(x, _, _, _)).
move(ut(P, A, B, N), go, ut(Q, A, B, M)) :- N < 3, other(P, Q), M is N + 1.
static_eval(ut(x, _, _), 1).
static_eval(ut(o, _, _, _), -1).
other(x, o).
other(o, x).
acyclic.
";
    let path = file("three_of_four.pl", game);
    let ran = run(&["value", &path, "--depth", "2"]);
    assert!(ran.err.contains("in line 4 has ut(_, _, _), and this position has ut(_, _, _, _)"), "{}", ran.err);
    assert!(!ran.err.contains("last clause"), "{}", ran.err);
}

/// Regression test: the diagnostic marked the first clause of move/3 instead of the clause that made the
/// label.
#[test]
fn the_clause_that_doubles_a_label_is_marked() {
    let game = "\
initial(n(max, 3)).
max_to_move(n(max, _)).
move(n(max, N), one, n(min, M)) :- N > 0, M is N - 1.
move(n(max, N), two, n(min, M)) :- N > 1, M is N - 2.
move(n(max, N), one, n(min, M)) :- N > 2, M is N - 3.
static_eval(n(_, N), N).
acyclic.
";
    let path = file("doubled.pl", game);
    let ran = run(&["check", &path, "--playouts", "3"]);
    assert!(ran.err.contains("A0609") && ran.err.contains("doubled.pl:5:1"), "{}", ran.err);
}

/// Regression test: an overlay without its game gave four errors instead of a hint how to check it.
#[test]
fn an_overlay_alone_is_told_how_it_is_checked() {
    let path = file("lone_overlay.pl", "static_eval(P, V) :- score(P, V).\nquiet(_).\n");
    let ran = run(&["check", &path]);
    assert_eq!((ran.status, ran.out), (Some(1), format!("{path}: 1 error\n")), "{}", ran.err);
    let err: String = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(err.contains("alphorn check GAME.pl --with"), "{err}");
    let over = file("quiet_overlay.pl", "static_eval(pos(_, Board), Value) :- score(Board, Value).\n");
    let ran = run(&["check", "games/othello.pl", "--with", &over]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let note = "replaces static_eval/2, and no other clause calls weigh/5 now; this is harmless\n";
    assert_eq!(ran.out.matches("note: ").count(), 1, "{}", ran.out);
    assert!(ran.out.contains(note) && ran.out.ends_with(": no problems\n"), "{}", ran.out);
    let ran = run(&["moves", "games/othello.pl", "--with", &over]);
    assert_eq!(ran.err, "");
}

/// Regression test: the first repetition on a line ended the test with an error, though a later search proves
/// the claim. Both players can wait for ever, but MAX need not.
#[test]
fn a_claim_is_decided_where_positions_come_again() {
    let game = "\
initial(at(max, 90)).
max_to_move(at(max, _)).
move(at(P, N), wait, at(Q, N)) :- other(P, Q).
move(at(P, N), go(K), at(Q, M)) :- between(1, 2, K), N >= K, M is N - K, other(P, Q).
terminal(at(_, 0)).
outcome(at(_, 0), win(max)).
other(max, min).
other(min, max).
";
    let path =
        file("waits.pl", &format!(":- expect(value = win(max)).\n:- expect(value(at(max, 2)) = win(max)).\n{game}"));
    let ran = run(&["test", &path, "--time", "100"]);
    assert_eq!((ran.status, ran.out), (Some(0), format!("{path}: 2 passed\n")), "{}", ran.err);
    // Regression test: a value that is 0 only because play is endless was neither proved nor refuted.
    // Enumerating the positions decides the claim.
    let game =
        game.replace("outcome(at(_, 0), win(max))", "outcome(at(P, 0), win(P))").replace("at(max, 90)", "at(max, 2)");
    let game = game.replace("go(K), at(Q, M)) :- between(1, 2, K)", "go(1), at(Q, M)) :- K = 1");
    let path = file("waits_both.pl", &format!(":- expect(value = win(max)).\n:- expect(value = draw).\n{game}"));
    let ran = run(&["test", &path, "--time", "100"]);
    assert_eq!((ran.status, ran.out), (Some(1), format!("{path}: 1 passed, 1 failed\n")), "{}", ran.err);
    assert!(ran.err.contains("A0616") && ran.err.contains("the value is 0"), "{}", ran.err);
    // With too many positions the claim stays undecided, and the help says what to do.
    let many = game.replace("at(max, 2)", "at(max, 1000000000)").replace("N >= K", "N >= K, N < 2 ; K = 1");
    let path = file("waits_long.pl", &format!(":- expect(value = draw).\n{many}"));
    let ran = run(&["test", &path, "--time", "0.5"]);
    assert_eq!((ran.status, ran.out), (Some(2), format!("{path}: 0 passed, 1 not decided\n")), "{}", ran.err);
    assert!(ran.err.contains("repetition(draw).") && ran.err.contains("alphorn solve"), "{}", ran.err);
}

/// Regression test: the quote ended the label, and the rest was a syntax error.
#[test]
fn a_label_with_a_quote_is_a_label() {
    let game = "\
initial(p(max)).
max_to_move(p(max)).
move(p(max), 'it''s', p(min)).
move(p(max), 'a \\\\ b', p(min)).
terminal(p(min)).
outcome(p(min), win(max)).
";
    let path = file("quote.pl", game);
    for label in ["it's", "a \\ b"] {
        let ran = run(&["why", &path, label]);
        assert_eq!(ran.status, Some(0), "{label}: {}{}", ran.out, ran.err);
    }
}

/// Regression test: there was no `--time`, and Ctrl-C counted as an error of the rules.
#[test]
fn check_stops_in_time_and_says_how_much_was_played() {
    for (args, told) in [
        (&["--playouts", "1000000", "--time", "0.2"][..], " of 1,000,000 games played"),
        (&["--playouts", "7", "--time", "0"], "stopped: 0 of 7 games played"),
        (&["--time", "0"], "stopped: the first plies of a game were not finished"),
    ] {
        let ran = run(&[&["check", "games/chess.pl"], args].concat());
        assert!(ran.status == Some(0) && ran.err.contains(told), "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("no problems"), "{args:?}: {}", ran.out);
        let (status, found) = json(&[&["check", "games/chess.pl"], args].concat());
        assert!(status == Some(0) && found["files"][0]["stopped"] == true, "{args:?}: {found:?}");
    }
}

/// Regression test: an average of 0 was taken for a draw, and an average of 1 for a win.
#[test]
fn an_average_proves_no_result() {
    let game = "initial(start).\nmax_to_move(s(_)).\nchance(start, [1-s(1), 1-s(-1)]).\n\
                move(s(N), go, t(N)).\nterminal(t(_)).\noutcome(t(1), win(max)).\noutcome(t(-1), win(min)).\nacyclic.\n";
    let claims = ":- expect(value = draw).\n:- expect(value(s(1)) = win(max)).\n:- expect(value = 0).\n";
    let ran = run(&["test", &file("averages.pl", &format!("{claims}{game}"))]);
    assert_eq!(ran.status, Some(2), "{}{}", ran.out, ran.err);
    assert_eq!(ran.err.matches("A0624").count(), 2, "{}", ran.err);
    assert!(ran.err.contains("value(Pos) = 0") && ran.err.contains("value(Pos) = 1"), "{}", ran.err);
    assert!(ran.out.contains("1 passed"), "{}", ran.out);
}

/// The rules run with such positions, so only the failing claim gives them away.
#[test]
fn a_failing_claim_tells_how_its_position_differs_from_play() {
    let game = "\
initial([turn=max, piles=[4,3,4], last=none]).
max_to_move([turn=max|_]).
move([turn=Side, piles=Piles, last=Last], take(Pile), [turn=Other, piles=New, last=Pile]) :-
    other(Side, Other), nth1(I, [left,middle,right], Pile), Pile \\== Last,
    nth1(I, Piles, Coins, Rest), Coins > 0, Left is Coins - 1, nth1(I, New, Left, Rest).
no_moves(loss).
other(max, min).
other(min, max).
acyclic.
";
    let rows = [
        ("[turn=max, piles=[0,1], last=left]", "a list of length 2 where positions of random play have length 3"),
        ("[turn=black, piles=[0,1,0], last=left]", "it has black where positions of random play have max or min"),
    ];
    for (position, told) in rows {
        let path = file("unlike.pl", &format!(":- expect(value({position}) = 7).\n{game}"));
        let ran = run(&["test", &path]);
        assert!(ran.status == Some(1) && ran.err.replace("\n        ", " ").contains(told), "{position}: {}", ran.err);
    }
    // A position of play needs no such help.
    let path = file("alike.pl", &format!(":- expect(value([turn=max, piles=[4,3,4], last=none]) = 7).\n{game}"));
    let ran = run(&["test", &path]);
    assert!(ran.status == Some(1) && !ran.err.contains("check the position"), "{}", ran.err);
}

/// Regression test: where the position of an expectation had no moves, A0607 told to correct the rules only.
#[test]
fn a_claim_about_a_position_that_no_game_reaches_may_be_wrong() {
    let rules = ":- expect(value(pile(max, 9)) = win(max)).\ninitial(pile(max, 5)).\nmax_to_move(pile(max, _)).\n\
                 move(pile(P, N), take(K), pile(Q, M)) :- N < 6, member(K, [1, 2]), K =< N, M is N - K, other(P, Q).\n\
                 other(max, min).\nother(min, max).\nterminal(pile(_, 0)).\noutcome(pile(P, 0), win(Q)) :- other(P, Q).\n";
    let path = file("unreached.pl", rules);
    let ran = run(&["test", &path]);
    assert_eq!(ran.status, Some(2), "{}{}", ran.out, ran.err);
    for words in ["A0607", "no random game reaches the position", "if the position is right, correct the rules"] {
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
    }
    let (_, object) = json(&["test", &path]);
    assert_eq!(object["files"][0]["expectations"][0]["problem"]["places"][0]["line"], 1, "the expectation comes first");
    // A position that play reaches is right.
    let ran = run(&["test", &file("reached.pl", &rules.replace("9)", "5)").replace("N < 6", "N < 5"))]);
    assert!(ran.err.contains("A0607") && !ran.err.contains("no random game reaches"), "{}", ran.err);
}

/// Regression test: a claim that does not hold marked the expectation alone, although the rules may be wrong.
#[test]
fn a_claim_that_fails_shows_the_clauses_of_its_answer() {
    let game = "\
initial(left(max, 5)).
max_to_move(left(max, _)).
move(left(P, N), take(1), left(Q, M)) :- other(P, Q), N > 0, M is N - 1.
move(left(P, N), take(2), left(Q, M)) :- other(P, Q), N > 9, M is N - 2.
terminal(left(_, 0)).
outcome(left(P, 0), win(Q)) :- other(P, Q).
other(max, min).
other(min, max).
acyclic.
";
    let claims = [
        ("perft(1) = 2", vec!["this clause gives no move", "this clause gives 1 move"]),
        ("value(left(max, 1)) = win(min)", vec!["this clause ends the game", "this clause gives the value"]),
        ("holds(move(left(max, 5), take(2), _))", vec!["this clause comes nearest to an answer"]),
        ("fails(terminal(left(max, 0)))", vec!["gives an answer"]),
        ("best(left(max, 5), 2) = take(2)", vec!["take(2) is not a legal move here", "comes nearest"]),
    ];
    for (claim, words) in claims {
        let path = file("causes.pl", &format!(":- expect({claim}).\n{game}"));
        let ran = run(&["test", &path]);
        assert_eq!(ran.status, Some(1), "{claim}: {}", ran.err);
        for words in words {
            assert!(ran.err.contains(words), "{claim}, {words}: {}", ran.err);
        }
    }
}

/// Regression test: where one clause makes all moves, nothing said how many each helper gives.
#[test]
fn moves_are_counted_by_the_clauses_of_a_helper() {
    let game = "\
:- expect(perft(1) = 2).
initial(at(max, [2, 4])).
max_to_move(at(max, _)).
MOVES
step(Men, Others, Place) :- select(Man, Men, Others), member(Way, [up, down, over]), reach(Way, Man, Place).
reach(up, Man, Place) :- Man < 4, Place is Man + 1.
reach(down, Man, Place) :- Man > 1, Place is Man - 1.
foe(max, min).
foe(min, max).
terminal(at(_, Men)) :- sum_list(Men, Sum), Sum > 7.
static_eval(at(_, Men), Value) :- sum_list(Men, Value).
";
    let lists =
        "moves(at(Who, Men), Nexts) :- foe(Who, Foe), findall(at(Foe, [Place|Rest]), step(Men, Rest, Place), Nexts).";
    let labels = "move(at(Who, Men), Place, at(Foe, [Place|Rest])) :- foe(Who, Foe), step(Men, Rest, Place).";
    for moves in [lists, labels] {
        let ran = run(&["test", &file("helper.pl", &game.replace("MOVES", moves))]);
        for words in ["6 | reach(up", "this clause gives 1 move", "this clause gives 2 moves"] {
            assert!(ran.err.contains(words), "{words}: {}", ran.err);
        }
        assert_eq!(ran.err.contains("this clause gives 3 moves"), moves == labels, "{}", ran.err);
    }
    // A clause of moves/2 gives a list.
    let two = lists.replace("moves(at(Who, Men)", "moves(at(max, Men)").replace("foe(Who, Foe)", "Foe = min");
    let two = format!("{two}\n{}", two.replace("at(max, Men)", "at(min, Men)").replace("Foe = min", "Foe = max"));
    let ran = run(&["test", &file("lists.pl", &game.replace("MOVES", &two))]);
    assert!(!ran.err.contains("at(max, Men), Nexts") && ran.err.contains("gives 2 moves"), "{}", ran.err);
}
