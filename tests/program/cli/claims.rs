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

/// Two players take stones and count them.
const COUNTS: &str = "\
initial(s(max, [max-0, min-0], 4)).
max_to_move(s(max, _, _)).
move(s(P, Counts, N), take(K), s(Q, Counts1, M)) :-
    member(K, [1, 2]),
    K =< N,
    M is N - K,
    other(P, Q),
    maplist(add(P, K), Counts, Counts1).
add(P, K, P-Old, P-New) :- !, New is Old + K.
add(_, _, Count, Count).
other(max, min).
other(min, max).
terminal(s(_, _, 0)).
outcome(s(_, Counts, 0), score(D)) :-
    memberchk(max-A, Counts),
    memberchk(min-B, Counts),
    D is A - B.
acyclic.
";

/// Regression test: two exchanged arguments were marked only where their effect shows.
#[test]
fn a_small_edit_after_which_every_claim_holds_is_shown() {
    let claims = ":- expect(perft(1) = 2).\n:- expect(perft(2) = 4).\n\
                  :- expect(value(s(max, [max-1, min-0], 1)) = 2).\n\
                  :- expect(holds(move(s(max, [max-0, min-0], 4), take(2), s(min, [max-2, min-0], 2)))).\n";
    let game = format!("{claims}{}", COUNTS.replace("maplist(add(P, K)", "maplist(add(K, P)"));
    let ran = run(&["test", &file("counts.pl", &game)]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    let words = "every expectation holds if K and P are exchanged here";
    assert!(ran.err.contains(words), "{}", ran.err);
    assert_eq!(ran.err.matches("every expectation holds").count(), 2, "call and head, at the first claim: {}", ran.err);
    assert!(ran.err.lines().any(|line| line.contains("maplist(add(K, P), Counts, Counts1)")), "{}", ran.err);
    // The rules are right, and a claim is wrong.
    let wrong = format!("{}{COUNTS}", claims.replace("perft(2) = 4", "perft(2) = 5"));
    let ran = run(&["test", &file("miscounted.pl", &wrong)]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("perft is 4") && !ran.err.contains("every expectation holds"), "{}", ran.err);
}

/// Regression test: a wrong operator, number, variable, atom or goal of a helper was not marked.
#[test]
fn a_word_after_whose_change_every_claim_holds_is_shown() {
    let claims = ":- expect(perft(1) = 2).\n:- expect(perft(2) = 4).\n\
                  :- expect(value(s(max, [max-1, min-0], 1)) = 2).\n\
                  :- expect(value(s(min, [max-0, min-2], 1)) = -3).\n\
                  :- expect(fails(move(s(max, [max-0, min-0], 1), take(2), _))).\n\
                  :- expect(holds(move(s(max, [max-0, min-0], 4), take(2), s(min, [max-2, min-0], 2)))).\n\
                  :- expect(holds(move(s(min, [max-0, min-1], 4), take(1), s(max, [max-0, min-2], 3)))).\n";
    let mistakes = [
        ("New is Old + K", "New is Old - K", "+", 1),
        ("member(K, [1, 2])", "member(K, [1, 3])", "2", 1),
        // Without a legal move, other expectations end in an error.
        ("K =< N", "K < N", "=<", 2),
        ("memberchk(min-B, Counts)", "memberchk(max-B, Counts)", "min", 1),
        ("M is N - K", "M is N - 1", "K", 1),
        ("s(Q, Counts1, M)", "s(Q, Counts, M)", "Counts1", 1),
    ];
    for (right, wrong, word, status) in mistakes {
        let ran = run(&["test", &file("words.pl", &format!("{claims}{}", COUNTS.replace(right, wrong)))]);
        assert_eq!(ran.status, Some(status), "{wrong}: {}", ran.err);
        let (line, mark) = (wrong, format!("every expectation holds if this is {word}"));
        assert!(ran.err.contains(line) && ran.err.contains(&mark), "{wrong}: {}", ran.err);
    }
}

/// Regression test: an element of another shape and a wrong atom of a fact were not marked.
#[test]
fn a_term_after_whose_change_every_claim_holds_is_shown() {
    let game = "\
:- expect(perft(1) = 3).
:- expect(perft(2) = 6).
:- expect(perft(3) = 6).
:- expect(holds(near(c, b))).
:- expect(fails(near(c, a))).
:- expect(holds(move(p(max, [a-none, b-min]), put(a), p(min, [a-max, b-min])))).
:- expect(value(p(min, [a-none])) = 1).
initial(p(max, [a-none, b-none, c-none])).
max_to_move(p(max, _)).
move(p(Who, Map), put(Place), p(Other, [Place-Who|Rest])) :-
    other(Who, Other), select(Place-none, Map, Rest), once(near(Place, _)).
other(max, min).
other(min, max).
edge(a, b).
edge(b, c).
near(A, B) :- edge(A, B).
near(A, B) :- edge(B, A).
terminal(p(_, Map)) :- \\+ member(_-none, Map).
static_eval(p(_, [Place-_|_]), Value) :- worth(Place, Value).
worth(a, 1).
worth(b, 2).
worth(c, 3).
acyclic.
";
    let ran = run(&["test", &file("places.pl", game)]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    for (right, wrong, mark, status) in [
        ("c-none])", "c])", "this is c-none", 1),
        ("edge(b, c).", "edge(a, c).", "this is b", 1),
        // Without a legal move, other expectations end in an error.
        ("edge(B, A)", "edge(A, B)", "A and B are exchanged here", 2),
    ] {
        let ran = run(&["test", &file("places.pl", &game.replace(right, wrong))]);
        assert_eq!(ran.status, Some(status), "{wrong}: {}", ran.err);
        assert!(ran.err.contains(&format!("every expectation holds if {mark}")), "{wrong}: {}", ran.err);
    }
}

/// Regression test: a goal that must fail fails for a misspelt label, whatever the rules say.
#[test]
fn check_shows_a_misspelt_label_in_a_goal_that_must_fail() {
    let claims = ":- expect(fails(move(s(max, [max-0, min-0], 1), tkae(2), _))).\n\
                  :- expect(fails(move(s(max, [max-0, min-0], 1), leap(2), _))).\n";
    let ran = run(&["check", &file("tkae.pl", &format!("{claims}{COUNTS}"))]);
    assert!(ran.err.contains("no label of the game is tkae(2)") && !ran.err.contains("is leap"), "{}", ran.err);
}

/// Regression test: only the place of a variable that occurs once was marked, and not where it is missing.
#[test]
fn check_shows_where_a_variable_is_missing() {
    let claims = ":- expect(perft(1) = 2).\n:- expect(perft(2) = 4).\n\
                  :- expect(value(s(max, [max-1, min-0], 1)) = 2).\n\
                  :- expect(holds(move(s(max, [max-0, min-0], 4), take(2), s(min, [max-2, min-0], 2)))).\n";
    let game = format!("{claims}{}", COUNTS.replace("D is A - B", "D is A - A"));
    let ran = run(&["check", &file("lonely.pl", &game)]);
    assert!(ran.err.contains("the variable B occurs only once"), "{}", ran.err);
    assert!(ran.err.contains("D is A - A") && ran.err.contains("every expectation holds if this is B"), "{}", ran.err);
    // A constant may stand in its place.
    let game = format!("{claims}{}", COUNTS.replace("s(Q, Counts1, M)", "s(max, Counts1, M)"));
    let ran = run(&["check", &file("lonely.pl", &game)]);
    assert!(ran.err.contains("the variable Q occurs only once"), "{}", ran.err);
    assert!(ran.err.contains("every expectation holds if this is Q"), "{}", ran.err);
}

/// Regression test: the successor of a move in an expectation was not compared with positions, and the rows of a board
/// were compared only in `value`, `best` and `perft`.
#[test]
fn check_compares_all_positions_in_goals_of_expectations() {
    let claim = ":- expect(holds(move(s(max, [max-0, min-0], 4), take(2), s(min, [max-2, min-0])))).\n";
    let ran = run(&["check", &file("successor.pl", &format!("{claim}{COUNTS}"))]);
    assert!(ran.err.contains("no position of the game is s(min, [max-2, min-0])"), "{}", ran.err);
    let game = "\
:- expect(fails(terminal(g(x, [[x, o, e], [o, x], [e, e, e]])))).
initial(g(x, [[e, e, e], [e, e, e], [e, e, e]])).
max_to_move(g(x, _)).
other(x, o).
other(o, x).
move(g(P, Rows), put(R, C), g(Q, Next)) :-
    other(P, Q),
    nth1(R, Rows, Row, Others),
    nth1(C, Row, e, Rest),
    nth1(C, New, P, Rest),
    nth1(R, Next, New, Others).
terminal(g(_, Rows)) :- \\+ ( member(Row, Rows), memberchk(e, Row) ).
static_eval(g(_, _), 0).
acyclic.
";
    let ran = run(&["check", &file("rows.pl", game)]);
    assert!(ran.err.contains("this row has 2 elements, and another row has 3"), "{}", ran.err);
    let ran = run(&["check", &file("rows.pl", &game.replace("[o, x],", "[o, x, e],"))]);
    assert_eq!(ran.err, "", "{}", ran.err);
}

/// Regression test: a mistake that shows in another clause was marked only there.
#[test]
fn check_shows_a_small_edit_after_which_its_problem_is_gone() {
    let game = "\
:- expect(perft(1) = 3).
:- expect(perft(2) = 6).
:- expect(perft(3) = 6).
:- expect(value = 1).
initial(b(max, Cells)) :- blank(Cells).
blank([[e, e, e]]).
max_to_move(b(max, _)).
move(b(P, Cells), put(I), b(Q, Next)) :-
    nth1(I, Cells, Cell, Rest),
    \\+ occupied(Cell),
    other(P, Q),
    nth1(I, Next, P, Rest).
occupied(max).
occupied(min).
other(max, min).
other(min, max).
terminal(b(_, Cells)) :- \\+ ( member(Cell, Cells), \\+ occupied(Cell) ).
static_eval(b(_, Cells), Value) :-
    nth1(2, Cells, Cell),
    ( Cell == max -> Value = 1 ; Value = 0 ).
acyclic.
";
    let ran = run(&["check", &file("cells.pl", game)]);
    assert_eq!((ran.status, ran.err.matches("A0606").count()), (Some(1), 1), "{}", ran.err);
    let words = "every expectation holds if this is [e, e, e]";
    assert_eq!(ran.err.matches(words).count(), 1, "{}", ran.err);
    assert!(ran.err.lines().any(|line| line.contains("blank([[e, e, e]]).")), "{}", ran.err);
    let right = game.replace("[[e, e, e]]", "[e, e, e]");
    let ran = run(&["check", &file("cells_right.pl", &right)]);
    assert_eq!(ran.err, "", "{}", ran.err);
}

/// Regression test: a label that `shown_move/3` takes apart in another form was shown as `redon(1)`.
#[test]
fn a_text_of_a_move_with_a_term_of_its_label_is_reported() {
    let game = "\
initial(s(max, 2)).
max_to_move(s(max, _)).
move(s(P, N), put(red, on(M)), s(Q, M)) :- other(P, Q), N > 0, M is N - 1.
other(max, min).
other(min, max).
outcome(s(P, 0), win(P)).
acyclic.
shown_move(_, put(Bead, Where), Text) :- format(atom(Text), '~w~w', [Bead, Where]).
";
    let ran = run(&["check", &file("shown_part.pl", game)]);
    assert_eq!(ran.err.matches("A0609").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("the label put(red,on(1)) is shown as 'redon(1)', with the term on(1)"), "{}", ran.err);
    assert!(ran.err.contains("shown_move(_, put(Bead, Where), Text) :-"), "{}", ran.err);
    let right = game.replace("put(Bead, Where)", "put(Bead, on(Where))");
    let ran = run(&["check", &file("shown_parts.pl", &right)]);
    assert_eq!(ran.err, "", "{}", ran.err);
}

/// Regression test: the place of a builtin that fails in a claim is in no file, and drawing it ended in a panic.
#[test]
fn a_claim_that_fails_at_a_builtin_is_reported() {
    let game = "initial(1).\nmax_to_move(1).\nmove(1, go, 2).\noutcome(_, draw).\n";
    for goal in ["findall(X, member(X, [1]), [2])", "length([a], 2)", "1 =:= 2", "(member(X, [1]), X > 1)"] {
        let path = file("claimed_builtin.pl", &format!(":- expect(holds({goal})).\n{game}"));
        let ran = run(&["test", &path]);
        assert_eq!((ran.status, ran.out), (Some(1), format!("{path}: 0 passed, 1 failed\n")), "{}", ran.err);
        assert!(ran.err.contains("A0616"), "{}", ran.err);
    }
}
