//! Tests that the goals of the tables in `tests/data/` have the same runs on both solvers.
//!
//! The input is the goals of `conformance.tsv` and `library.tsv`, run without a program, and those of
//! `modules.tsv`, run with `modules.pl`.

use super::compare::{Kinds, differences};
use super::program::{Asked, Goal};
use super::{ANSWERS, Ground, IGNORED, World, both, native};
use alphorn::machine::store::Budget;
use alphorn::rules;
use alphorn::source::Source;

#[test]
fn rows_have_the_same_runs() {
    let rows = include_str!("../../data/conformance.tsv").lines().skip(1).map(|row| row.split('\t').nth(2));
    let rows = rows.chain(include_str!("../../data/library.tsv").lines().map(|row| row.split('\t').next()));
    let seen = assert_same_runs("", &rows.flatten().collect::<Vec<&str>>());
    assert!(seen > 650, "only {seen} rows could be asked");
}

#[test]
fn goals_in_modules_have_the_same_runs() {
    let rows: Vec<&str> =
        include_str!("../../data/modules.tsv").lines().filter_map(|row| row.split('\t').next()).collect();
    let seen = assert_same_runs(include_str!("../../data/modules.pl"), &rows);
    assert!(seen > 50, "only {seen} rows could be asked");
}

/// Clauses that fail in their first test for a known argument are not tried.
#[test]
fn clauses_that_an_argument_refuses_have_the_same_runs() {
    let text = "
        size(0, zero).
        size(N, positive) :- N > 0.
        size(N, negative) :- 0 > N, N =\\= 0.
        kind(a, one).
        kind([], empty).
        kind([_|_], list).
        kind(f(_), whole).
        kind(X, other) :- X \\= a, X \\== [], \\+ X = f(_), \\+ integer(X).
        kind(X, number) :- integer(X), X >= 7.
        kind(7, seven).
        kind(X, late) :- X \\== Y, Y = 7, X = 7.
        fib(0, 1).
        fib(1, 1).
        fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, P), fib(B, Q), F is P + Q.
    ";
    let arguments = ["0", "1", "-1", "7", "a", "b", "[]", "[x]", "f(x)", "g(x)", "2.5", "0.0", "1<<70", "\"t\"", "_"];
    let goals = arguments.iter().flat_map(|argument| [format!("size({argument}, S)"), format!("kind({argument}, K)")]);
    let goals: Vec<String> = goals.chain(["fib(9, F)".to_string()]).collect();
    let seen = assert_same_runs(text, &goals.iter().map(String::as_str).collect::<Vec<&str>>());
    assert_eq!(seen, goals.len());
}

/// Goals with `member/2` and lists of constants.
#[test]
fn members_of_constants_have_the_same_runs() {
    let text = "
        step(X, Y) :- member(X, [-1, 0, 1]), member(Y, [-1, 0, 1]), (X, Y) \\= (0, 0).
        one(X) :- member(X, [f(a, [b])]).
        none(X) :- member(X, []).
        first(X) :- member(X, [c, b, a]), !.
        last(X) :- \\+ \\+ member(X, [c, b, a]), member(X, [x, \"t\", 2.5, f(y), [z], c]).
        over(X) :- member(X, [1, 2, 3]), X > 2.
        over(4).
        both(X) :- member(X, [1, 2, 3]), member(X, [3, 2]).
        all(L) :- findall(X-Y, (member(X, [1, 2]), (member(Y, [a, b]) ; Y = c)), L).
        open(X, Y) :- member(X, [a, Y]).
        sum(S) :- foldl([X, A, B]>>(member(C, [10, 20]), B is A + C * X), [1, 2], 0, S).
        void :- member(_, [p, q]).
        if(X) :- ( member(X, [u, v]), X == v -> true ; X = w ).
    ";
    let goals = ["step(X, Y)", "one(X)", "one(f(A, B))", "none(X)", "first(X)", "last(X)", "last(f(Z))", "over(X)"];
    let more = ["both(X)", "all(L)", "open(X, Y)", "sum(S)", "void", "if(X)", "step(X, X)", "step(0, Y)"];
    let goals = [goals, more].concat();
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Runs goals of a program on both solvers. Returns the number of goals that could be run.
fn assert_same_runs(text: &str, goals: &[&str]) -> usize {
    let ground = Ground { world: World { whole_library: true, ..rules::world() }, ..Ground::new() };
    let loaded = ground.load(Source::typed("program.pl", text)).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let mut pair = native(&loaded);
    let kinds = Kinds::but(IGNORED);
    let budget = Budget { steps: 300_000, memory: 64 << 20 };
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for goal in goals {
        let asked = Asked::Goal(vec![Goal::Leaf(goal.to_string())]);
        // Some rows contain goals with syntax errors.
        let Some((left, right)) = both(&loaded, &mut pair, &asked, budget, ANSWERS) else { continue };
        seen += 1;
        for found in differences(&left, &right, &kinds) {
            wrong.push(format!("{goal}: {:?}\n    left  {}\n    right {}", found.kind, found.left, found.right));
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
    seen
}

/// Regression test: each argument of the head contains the next argument twice, and a traversal visited it
/// 2^30 times.
#[test]
fn terms_that_double_at_each_argument_are_left_alone() {
    let names = |letter: char| (0..=30).map(move |at| format!("{letter}{at}"));
    let head: Vec<String> =
        names('A').zip(names('A').skip(1)).map(|(one, next)| format!("{one}, f({next}, {next})")).collect();
    let call: Vec<String> = names('V').take(30).map(|one| format!("{one}, {one}")).collect();
    let all: Vec<String> = names('V').take(30).collect();
    let text = format!(
        "p({}).\ngo({all}) :- p({}).\nr :- go({all}), V29 == V28.\n",
        head.join(", "),
        call.join(", "),
        all = all.join(", ")
    );
    assert_eq!(assert_same_runs(&text, &["r"]), 1);
}
