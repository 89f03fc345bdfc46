//! Tests of the edits that trials of expectations show, and of what `check` finds in expectations.

use super::{file, run};

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
                  :- expect(holds(move(s(min, [max-0, min-1], 4), take(1), s(max, [max-0, min-2], 3)))).\n\
                  :- expect(holds(move(s(min, [max-0, min-0], 3), take(2), s(max, [max-0, min-2], 1)))).\n";
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

/// Regression test: of a wrong number in the clause that ends a recursion, only the goal behind the call was marked, as a
/// fact of a table is.
#[test]
fn a_number_that_ends_a_recursion_is_shown() {
    let game = "\
:- expect(perft(1) = 2).
:- expect(perft(2) = 4).
:- expect(holds(count([x, x], 2))).
:- expect(holds(move(s(max, [x, x, x]), take(1), s(min, [x, x])))).
:- expect(value(s(max, [x, x, x])) = win(min)).
initial(s(max, [x, x, x, x])).
max_to_move(s(max, _)).
move(s(P, Row), take(K), s(Q, Rest)) :- member(K, [1, 2]), append(Taken, Rest, Row), count(Taken, K), other(P, Q).
count([], 0).
count([_|Xs], N) :- count(Xs, M), N is M + 1.
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
";
    let ran = run(&["test", &file("row.pl", game)]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let ran = run(&["test", &file("row.pl", &game.replace("count([], 0)", "count([], 1)"))]);
    assert!(ran.status != Some(0) && !ran.err.contains("if this is *"), "{}", ran.err);
    let lines: Vec<&str> = ran.err.lines().collect();
    let fact = lines.iter().position(|line| line.contains("count([], 1).")).expect("the fact is shown");
    assert!(lines[fact + 1..].iter().take(2).any(|line| line.contains("holds if this is 0")), "{}", ran.err);
}

/// Regression test: for a wrong count, `test` proposed another operator in one element of a list of pairs.
#[test]
fn no_other_operator_is_proposed_for_one_of_several_pairs() {
    let game = "\
:- expect(perft(1) = 2).
:- expect(holds(named(1-1, a/b))).
:- expect(holds(other(max, min))).
:- expect(fails(other(max, max))).
initial(p(max, [1-1, 2-2, 3-3])).
max_to_move(p(max, _)).
move(p(P, Free), put(A), p(Q, Rest)) :- member(A, [1-1, 2-2, 3-3]), select(A, Free, Rest), other(P, Q).
named(1-1, a/b).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
";
    let ran = run(&["test", &file("pairs.pl", game)]);
    assert!(ran.err.contains("perft is 3") && !ran.err.contains("holds if"), "{}", ran.err);
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

/// Four expectations of the game with two players who take stones.
const COUNT_CLAIMS: &str = "\
:- expect(perft(1) = 2).
:- expect(perft(2) = 4).
:- expect(value(s(max, [max-1, min-0], 1)) = 2).
:- expect(holds(move(s(max, [max-0, min-0], 4), take(2), s(min, [max-2, min-0], 2)))).
";

/// Regression test: a problem of right lines stood first, and the mistake was one of its marks.
#[test]
fn the_place_of_the_only_edit_comes_first() {
    let game = format!("{COUNT_CLAIMS}{}", COUNTS.replace("initial(s(max,", "initial(s(first,"));
    let ran = run(&["check", &file("lead.pl", &game)]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("lead.pl:5:11]") && ran.err.contains("every expectation holds if this is max"));
    assert!(!ran.err.contains("the right term is made here") && !ran.err.contains("or remove the clause"));
    assert!(!ran.err.contains("this goal fails"), "what follows from the mistake is short: {}", ran.err);
    let game = format!("{COUNT_CLAIMS}{}", COUNTS.replace("s(Q, Counts1, M))", "s(Q, [Counts1], M))"));
    let ran = run(&["check", &file("wrapped.pl", &game)]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("wrapped.pl:7:37]"), "{}", ran.err);
    assert!(!ran.err.contains("add a clause that answers"), "{}", ran.err);
}

/// Regression test: `check` printed every consequence of one mistake as a problem of its own.
#[test]
fn problems_that_are_gone_with_the_only_edit_are_counted() {
    let game = format!(
        "{COUNT_CLAIMS}{}prefer(s(max, _, _), take(2), 1).\nprefer(s(max, _, _), take(1), 0).\n",
        COUNTS.replace("initial(s(max,", "initial(s(first,")
    );
    let ran = run(&["check", &file("many.pl", &game)]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("2 other problems are gone if this is max, and not shown"), "{}", ran.err);
    assert!(ran.err.contains("A0607"), "an error stays: {}", ran.err);
}

/// Regression test: a position that moves/2 lists twice was not told where a number of moves is wrong.
#[test]
fn a_position_that_is_listed_twice_is_named() {
    let game = "\
:- expect(perft(1) = 2).
initial(heap(max, [1, 1, 2])).
max_to_move(heap(max, _)).
moves(heap(P, Heaps), Nexts) :-
    other(P, Q),
    findall(heap(Q, Left), (select(_, Heaps, Rest), msort(Rest, Left)), Nexts).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
";
    let ran = run(&["test", &file("twice.pl", game)]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("this lists heap(min,[1,2]) twice"), "{}", ran.err);
    let ran =
        run(&["test", &file("once.pl", &game.replace("msort(Rest, Left)", "Left = Rest").replace("= 2)", "= 3)"))]);
    assert!(!ran.err.contains("twice"), "{}", ran.err);
}

/// Regression test: where outcome/2 failed, only `check` and `whynot` marked the goal that fails.
#[test]
fn a_fault_marks_the_goal_that_fails() {
    let game = "\
:- expect(perft(1) = 2).
:- expect(perft(2) = 4).
:- expect(holds(move(s(max, 3), take(2), s(min, 1)))).
:- expect(value(s(max, 1), 2) = win(max)).
:- expect(value = win(max)).
initial(s(max, 4)).
max_to_move(s(max, _)).
move(s(P, N), take(K), s(Q, M)) :- member(K, [1, 2]), K =< N, M is N - K, other(P, Q).
other(max, min).
other(min, max).
terminal(s(_, 0)).
outcome(s(Loser, 0), win(Winner)) :- other(Loser, Player), side(Player, Winner).
side(maximum, max).
side(min, min).
acyclic.
";
    let ran = run(&["test", &file("sides.pl", game)]);
    assert!(ran.err.contains("outcome/2 fails at the end of a game"), "{}", ran.err);
    let marks = ["this goal fails", "expects maximum, but is called with max"];
    assert!(marks.iter().all(|mark| ran.err.contains(mark)), "{}", ran.err);
    assert!(ran.err.contains("called with max; every expectation holds if this is max"), "{}", ran.err);
    // A search that meets the position marks the same places.
    let ran = run(&["value", &file("sides.pl", game)]);
    assert!(marks.iter().all(|mark| ran.err.contains(mark)), "{}", ran.err);
}

/// Regression test: an atom was not tried as a variable, which other goals of the predicate have there.
#[test]
fn an_atom_that_should_be_a_variable_is_shown() {
    let claims = ":- expect(perft(1) = 3).\n:- expect(perft(3) = 6).\n:- expect(value = draw).\n\
                  :- expect(holds(put(2, [e, e], x, [e, x]))).\n\
                  :- expect(holds(move(p(x, [e, o, e]), 1, p(o, [x, o, e])))).\n";
    let game = "\
initial(p(x, [e, e, e])).
max_to_move(p(x, _)).
move(p(P, Cells), I, p(Q, Next)) :- nth1(I, Cells, e), put(I, Cells, P, Next), other(P, Q).
put(1, [_|Cells], New, [New|Cells]) :- !.
put(I, [Cell|Cells], New, [Cell|Next]) :- J is I - 1, put(J, Cells, New, Next).
other(x, o).
other(o, x).
terminal(p(_, Cells)) :- \\+ member(e, Cells).
outcome(p(_, _), draw).
acyclic.
";
    let ran = run(&["test", &file("put.pl", &format!("{claims}{game}"))]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let wrong = game.replace("put(I, Cells, P, Next)", "put(I, Cells, o, Next)");
    let ran = run(&["test", &file("put.pl", &format!("{claims}{wrong}"))]);
    assert!(ran.err.contains("holds if this is P"), "{}", ran.err);
}

/// Regression test: the part in which a long answer differs was given by its place only.
#[test]
fn an_answer_shows_the_terms_in_which_it_differs() {
    let game = "\
:- expect(holds(lift([pier(north, []), pier(east, [crate(4, 5), crate(1, 4)])], [pier(north, []), pier(east, [crate(4, 5)])]))).
initial(0).
max_to_move(_).
moves(_, []).
terminal(_).
outcome(_, draw).
lift([pier(Name, [_|Crates])|Piers], [pier(Name, Crates)|Piers]).
lift([Pier|Piers], [Pier|Others]) :- lift(Piers, Others).
";
    let ran = run(&["test", &file("lift.pl", game)]);
    assert!(ran.err.contains("where crate(1,4) stands in place of crate(4,5)"), "{}", ran.err);
}
