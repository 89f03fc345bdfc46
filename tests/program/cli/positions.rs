//! Tests of what `check` finds when it compares the first position, those of expectations and those of play.

use super::{file, run};

const CLAIMS: &str = "\
:- expect(value(board(max, [row(1, [e, max, e]), row(2, [min, e, e]), row(3, [e, e, e])], hand(1))) = 2).
:- expect(perft(board(min, [row(1, [max, e, e]), row(2, [e, e, e]), row(3, [e, e, e])], hand(2)), 1) = 8).
:- expect(holds(terminal(board(min, [row(1, [max, max, e]), row(2, [min, e, e]), row(3, [e, e, e])], hand(0))))).
";

/// Two players put pieces on a board of rows with numbers.
const RULES: &str = "\
initial(board(max, [row(1, [e, e, e]), row(2, [e, e, e]), row(3, [e, e, e])], hand(3))).
max_to_move(board(max, _, _)).
move(board(Who, Rows, hand(N)), put(Y, X), board(Other, Next, hand(M))) :-
    N > 0,
    M is N - 1,
    other(Who, Other),
    append(Before, [row(Y, Cells)|After], Rows),
    nth1(X, Cells, e, Rest),
    nth1(X, New, Who, Rest),
    append(Before, [row(Y, New)|After], Next).
terminal(board(_, _, hand(0))).
acyclic.
static_eval(board(_, Rows, _), Count) :-
    findall(X, (member(row(1, Cells), Rows), nth1(X, Cells, max)), Xs),
    length(Xs, Count).
other(max, min).
other(min, max).
";

/// The text that is replaced, its replacement, and words of the warning.
const MISTAKES: [(&str, &str, &str); 6] = [
    (
        "initial(board(max, [row(1, [e, e, e]), row(2, [e, e, e]), ",
        "initial(board(max, [row(1, [e, e, e]), ",
        "the first position has no row(2, _), and the positions of all expectations have one",
    ),
    (
        "initial(board(max, [row(1, [e, e, e]), row(2, [e, e, e])",
        "initial(board(max, [row(1, [e, e, e]), row(2, [e, e])",
        "this list has 2 elements, and those of all expectations have 3 elements",
    ),
    (
        "[e, e, e])], hand(3))).",
        "[e, e, e])], hand(three))).",
        "the first position has three here, and the positions of all expectations have a number",
    ),
    (
        "[min, e, e]), row(3, [e, e, e])], hand(1)",
        "[min, e, e])], hand(1)",
        "this position has no row(3, _), and all other positions have one",
    ),
    (
        "row(3, [e, e, e])], hand(2)",
        "row(3, [e, e, e, e])], hand(2)",
        "this list has 4 elements, and in all other positions it has 3 elements",
    ),
    ("board(Other, Next, hand(M))", "board(Other, [Next], hand(M))", "this move puts a list into a list"),
];

/// Regression test: a position that lacks a part, or has one of another kind, got a report of its consequences only.
#[test]
fn a_position_that_differs_from_all_others_is_reported() {
    let ran = run(&["check", &file("positions.pl", &format!("{CLAIMS}{RULES}")), "--playouts", "5"]);
    assert!(ran.status == Some(0) && ran.err.is_empty(), "{}", ran.err);
    for (old, new, words) in MISTAKES {
        let right = format!("{CLAIMS}{RULES}");
        assert_eq!(right.matches(old).count(), 1, "{old}");
        let ran = run(&["check", &file("odd_position.pl", &right.replace(old, new)), "--playouts", "5"]);
        let told: String = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.replace(" | ", " ").contains(words), "{new}: {}", ran.err);
    }
}

/// A player takes the first letter of a word. The positions are atoms that the rules cut out of others.
const WORDS: &str = "\
:- expect(value(word(max, aba)) = 1).
:- expect(value(word(min, baab), 2) = 0).
:- expect(perft(word(min, abba), 1) = 1).
initial(word(max, abab)).
max_to_move(word(max, _)).
move(word(Who, Text), drop(First), word(Other, Rest)) :-
    other(Who, Other),
    sub_atom(Text, 0, 1, _, First),
    letter(First),
    sub_atom(Text, 1, _, 0, Rest).
letter(a).
letter(b).
no_moves(eval).
acyclic.
static_eval(word(_, Text), Length) :- atom_length(Text, Length).
other(max, min).
other(min, max).
";

/// Regression test: if the moves failed, each atom of an expectation was an atom that no rule contains.
#[test]
fn atoms_that_rules_cut_out_of_others_are_not_reported() {
    let broken = WORDS.replace("letter(a).\nletter(b).", "letter(c).\nletter(d).");
    for text in [WORDS, &broken] {
        let ran = run(&["check", &file("words.pl", text), "--playouts", "5"]);
        assert!(!ran.err.contains("no rule contains it"), "{}", ran.err);
    }
}
