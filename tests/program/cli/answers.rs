//! Tests of what `test` says of an expectation that does not hold: what the rules answer instead.

use super::{file, run};

/// Two players take ice from a board of rows, and stand on a cell.
const RULES: &str = "\
initial(ice(max, [[2,1,1],[1,2,1],[1,1,2]], 1/1)).
max_to_move(ice(max, _, _)).
move(ice(Who, Rows, From), go(To), ice(Other, Next, To)) :-
    other(Who, Other),
    beside(From, To),
    cell(Rows, To, Ice),
    Ice > 0,
    melt(Rows, From, Next).
beside(X/Y, X1/Y) :- member(X1, [X, X]), X1 =:= X + 1.
beside(X/Y, X1/Y) :- X1 is X + 1.
beside(X/Y, X/Y1) :- Y1 is Y + 1.
cell(Rows, X/Y, Ice) :- nth1(Y, Rows, Row), nth1(X, Row, Ice).
melt(Rows, X/Y, Next) :-
    nth1(Y, Rows, Row, Others),
    nth1(X, Row, Ice, Cells),
    Less is Ice - 1,
    nth1(X, NewRow, Less, Cells),
    nth1(Y, Next, NewRow, Others).
terminal(Pos) :- \\+ move(Pos, _, _).
outcome(ice(Who, _, _), win(Other)) :- other(Who, Other).
acyclic.
other(max, min).
other(min, max).
";

/// An expectation that does not hold, and words of its diagnostic.
const WRONG: [(&str, &str); 16] = [
    ("holds(melt([[1,2],[1,3]], 2/2, [[1,1],[1,3]]))", "it has no answer: melt/3 gives [[1,2],[1,2]] as argument 3"),
    ("holds(beside(1/1, 3/1))", "it has no answer: beside/2 gives 2/1 or 1/2 as argument 2"),
    ("holds((initial(P), move(P, go(3/1), _)))", "it has no answer: move/3 gives go(2/1) or go(1/2) as argument 2"),
    ("holds((findall(C, beside(1/1, C), L), length(L, N), N =:= 3))", "it has no answer: N =:= 3 fails where N is 2"),
    ("holds((other(max, min), fail))", "it has no answer: fail fails"),
    ("holds(other(max, \"min\"))", "other/2 gives min (an atom) as argument 2, not \"min\" (a text in double quotes)"),
    ("holds(beside(1/1, '2'/1))", "beside/2 gives 2/1 or 1/2 as argument 2"),
    (
        "holds((initial(P), P = ice(max, [['2',1,1],[1,2,1],[1,1,2]], 1/1)))",
        "element 1 of element 1 of argument 2 is 2 (a number), not '2' (an atom)",
    ),
    (
        "holds((initial(P), move(P, go(2/1), Q), Q = ice(min, [[1,1,1],[1,2,2],[1,1,2]], 2/1)))",
        "Q = ice(min, [[1,1,1],[1,2,2],[1,1,2]], 2/1), element 3 of element 2 of argument 2 is 1, not 2",
    ),
    ("holds((initial(P), P = ice(max, [[2,1,1],[1,2,1]], 1/1)))", "argument 2 is [[2,1,1],[1,2,1],[1,1,2]], not [["),
    (
        "holds((initial(P), move(P, go(2/1), ice(min, [[1,1,1],[1,2,1],[1,1,2]], 1/2))))",
        "as argument 3, where argument 1 of argument 3 is 2, not 1",
    ),
    ("fails(beside(1/1, _))", "it has an answer: argument 2 is 2/1"),
    ("fails(other(max, min))", "it has an answer"),
    ("perft(1) = 5", "correct the rules, or write = 2"),
    ("best(ice(max, [[1,1],[1,1]], 1/1), 2) = go(3/3)", "correct the rules, or write = go(2/1)"),
    (
        "best(ice(max, [[2,1,1],[1,2,1],[1,1,2]], 1/1), 2) = go(1/2)",
        "the best move is go(2/1), which comes before go(1/2) and has the same value, 0",
    ),
];

/// Regression test: of a wrong goal the diagnostic said only that it has an answer, or none.
#[test]
fn a_wrong_expectation_is_told_with_what_the_rules_answer() {
    for (claim, words) in WRONG {
        let ran = run(&["test", &file("ice.pl", &format!(":- expect({claim}).\n{RULES}"))]);
        let told: String = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.status == Some(1) && told.contains(words), "{claim}: {}", ran.err);
    }
}

/// An error or a limit while another answer is looked for is not reported: the answers are only help.
#[test]
fn looking_for_another_answer_fails_quietly() {
    let endless = "endless(N, b) :- N > 0, M is N + 1, endless(M, a).\nendless(0, a).\nfixed(a, 1).\n";
    for claim in ["holds((fixed(a, 1), endless(0, b)))", "holds((X = 1, fixed(X, a)))", "fails(endless(0, _))"] {
        let ran = run(&["test", &file("quiet.pl", &format!(":- expect({claim}).\n{endless}{RULES}"))]);
        assert_eq!((ran.status, ran.err.matches("A0616").count()), (Some(1), 1), "{claim}: {}", ran.err);
    }
}

/// Regression test: a list with an end that is no list was said to have a variable.
#[test]
fn a_picture_with_a_wrong_end_is_told_with_its_end() {
    let show = "show(ice(Who, _, _), [Who|'to move']).\n";
    let ran = run(&["check", &file("picture.pl", &format!("{show}{RULES}"))]);
    assert!(ran.err.contains("show/2 gives a list that ends in 'to move' and not in []"), "{}", ran.err);
}

/// Regression test: `test` warned of the text as it stands, where `check` found the place of the mistake.
#[test]
fn test_marks_the_place_of_a_mistake_as_check_does() {
    let claims = "\
:- expect(holds(cell([[1,2],[3,4]], 2/1, 2))).
:- expect(holds(cell([[1,2],[3,4]], 1/2, 3))).
:- expect(holds(cell([[5,2],[3,4]], 1/1, 5))).
:- expect(perft(1) = 2).
";
    let wrong = RULES.replace("nth1(X, Row, Ice).", "nth1(X, Rows, Ice).");
    let path = file("rows.pl", &format!("{claims}{wrong}"));
    for command in ["check", "test"] {
        let ran = run(&[command, &path]);
        let told: String = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("every expectation holds if this is Row"), "{command}: {}", ran.err);
        assert!(!told.contains("did you mean Rows?"), "{command}: {}", ran.err);
    }
}

/// Regression test: `no_moves/1` gave the value, and the diagnostic named `static_eval/2`.
#[test]
fn the_clause_of_no_moves_is_marked_and_a_worse_move_is_compared() {
    let rules = "\
initial(heap(max, 5)).
max_to_move(heap(max, _)).
move(heap(Who, N), take(K), heap(Other, Left)) :-
    member(K, [1, 2]),
    Left is N - K,
    Left >= 0,
    other(Who, Other).
other(max, min).
other(min, max).
static_eval(_, 0).
acyclic.
";
    let worse = format!(":- expect(best(heap(max, 4), 6) = take(2)).\n{rules}no_moves(loss).\n");
    let ran = run(&["test", &file("heap.pl", &worse)]);
    let told: String = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = "the best move is take(1) with the value 999997 (win in 3); take(2) has -999998 (loss in 2)";
    assert!(told.contains(words), "{}", ran.err);
    for (meaning, is_marked) in [("draw", true), ("eval", false)] {
        let text = format!(":- expect(value = win(max)).\n{rules}no_moves({meaning}).\n");
        let ran = run(&["test", &file("heap.pl", &text)]);
        let marked = ran.err.lines().skip_while(|line| !line.contains("this clause gives the value"));
        assert!(marked.count() > 0, "{}", ran.err);
        let before = ran.err.split("this clause gives the value").next().unwrap_or_default();
        assert_eq!(before.lines().rev().nth(2).is_some_and(|line| line.contains("no_moves(")), is_marked, "{before}");
    }
}

/// Quick expectations are tested first, and an error that stops several ones is shown once. The result keeps the order
/// of the file.
#[test]
fn helpers_are_tested_before_searches_and_one_error_is_shown_once() {
    let claims = ":- expect(value = win(max)).\n:- expect(perft(1) = 2).\n:- expect(perft(2) = 4).\n\
                  :- expect(holds(beside(1/1, 9/9))).\n";
    let rules = RULES.replace("Less is Ice - 1", "Less is Ice - one");
    let name = file("order.pl", &format!("{claims}{rules}"));
    let ran = run(&["test", &name]);
    let at = |words: &str| ran.err.find(words).unwrap_or_else(|| panic!("{words}: {}", ran.err));
    assert!(at("beside/2 gives") < at("while testing this expectation"), "{}", ran.err);
    assert_eq!(
        ran.err.matches("an error at the same place as before stops this expectation").count(),
        2,
        "{}",
        ran.err
    );
    assert_eq!(ran.err.matches("while testing this expectation").count(), 1, "{}", ran.err);
    let told = run(&["test", "--json", &name]).out;
    let places: Vec<usize> = ["value = win", "perft(1)", "perft(2)", "holds(beside"]
        .iter()
        .map(|claim| told.find(&format!("\"claim\":\"{claim}")).unwrap_or_else(|| panic!("{claim}: {told}")))
        .collect();
    assert!(places.is_sorted(), "{told}");
}
