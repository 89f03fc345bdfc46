//! Tests the explanations why goals are true and why they fail: the clause, goal or argument that they name.
//!
//! The input is small programs and the games of `games/`. Proofs and failures must agree with the machine on
//! random programs over the whole language (those of `tests/solvers.rs`).

use crate::solvers::generate;
use alphorn::lang::ProgramOptions;
use alphorn::reason::explain::Detail;
use alphorn::reason::failing::GoalMark;
use alphorn::reason::proof::{Extent, ProofTree, ProvedBy};
use alphorn::rules::Expected;
use alphorn::session::query::{Answers, QueryOptions};
use alphorn::session::reason::{ProofOptions, WhyFalse, WhyTrue};
use alphorn::session::{Budgets, GameStart, Session};
use alphorn::source::{Origin, Source};
use std::sync::Arc;

mod command;
mod moves;

const STEPS: u64 = 2_000_000;

fn opened(name: &str, text: &str, steps: u64) -> Result<Session, String> {
    let source = Source { name: name.into(), text: text.into(), origin: Origin::File(name.into()) };
    let budgets = Budgets::new(Some(steps), Some(64 << 20));
    Session::open(&[source], &[], &ProgramOptions::default(), Expected::Program, budgets, Arc::default())
        .map_err(|failure| format!("{failure:?}"))
}

fn session(text: &str) -> Session {
    opened("rules.pl", text, STEPS).expect("the rules are right")
}

fn game(name: &str) -> Session {
    let path = format!("games/{name}.pl");
    let text = std::fs::read_to_string(&path).expect("the game is there");
    opened(&path, &text, 20 * STEPS).expect("the game is right")
}

fn detail() -> Detail {
    Detail { depth: 200, text: 160, clauses: 5 }
}

fn whynot(session: &Session, goal: &str) -> WhyFalse {
    session.why_not(goal, detail(), None).unwrap_or_else(|failure| panic!("{goal}: {failure:?}"))
}

fn why(session: &Session, goal: &str, answer: usize) -> WhyTrue {
    let proving = ProofOptions { answer, extent: Extent { depth: 50, goals: 1_000, text: 160 }, library: false };
    session.why(goal, proving, None).unwrap_or_else(|failure| panic!("{goal}: {failure:?}"))
}

/// The line of the smallest part that fails, the marked text, and the whole message.
fn named(session: &Session, goal: &str) -> (usize, String, String) {
    let why = whynot(session, goal);
    assert!(why.error.is_none(), "{goal}: {:?}", why.error);
    let smallest = why.smallest.unwrap_or_else(|| panic!("{goal} is not explained: {:?}", why.answer));
    let texts = &why.warnings.sources;
    let (span, label) = smallest.place.unwrap_or_else(|| panic!("{goal}: no place; {}", smallest.message));
    let said = format!("{} | {label} | {}", smallest.message, smallest.help.unwrap_or_default());
    (texts.line_column(span).0, texts.text(span).to_string(), said)
}

/// Asserts that the explanation of a failing goal marks this text in this line, and contains these words.
#[track_caller]
fn blames(text: &str, goal: &str, line: usize, marked: &str, words: &str) {
    blamed(&session(text), goal, line, marked, words);
}

#[track_caller]
fn blamed(session: &Session, goal: &str, line: usize, marked: &str, words: &str) {
    let (found, text, said) = named(session, goal);
    assert_eq!((found, text.as_str()), (line, marked), "{goal}: {said}");
    assert!(said.contains(words), "{goal}: {words} is not in: {said}");
}

const COLOURS: &str = "\
colour(red).
colour(blue).
likes(ann, red).
likes(bob, blue).
paint(X) :- likes(X, C), colour(C), C \\== red.
both(X, Y) :- likes(X, C), likes(Y, C).
";

#[test]
fn facts_and_constants() {
    blames(COLOURS, "colour(bleu)", 2, "blue", "did you mean blue?");
    blames(COLOURS, "colour(green)", 1, "red", "they have red, blue");
    blames(COLOURS, "likes(ann, blue)", 3, "red", "expects red, but is called with blue at argument 2 of likes/2");
    blames(COLOURS, "likes(bob, red)", 4, "blue", "expects blue, but is called with red at argument 2 of likes/2");
    blames(COLOURS, "paint(ann)", 5, "C \\== red", "both are red");
    blames(COLOURS, "paint(carol)", 3, "ann", "no clause has carol at argument 1 of likes/2; they have ann, bob");
    blames(COLOURS, "both(ann, bob)", 4, "blue", "expects blue, but is called with red at argument 2 of likes/2");
}

const TERMS: &str = "\
shape([square(1, [a, b, c])]).
point(p(X, X)).
one(1).
half(0.5).
name(\"ann\").
sign(up(Y)) :- Y = down(left).
pair(X, Y) :- f(X, b) = f(a, Y).
short([_, _]).
";

#[test]
fn nested_terms() {
    blames(TERMS, "shape([square(1, [a, x, c])])", 1, "b", "expects b, but is called with x at element 2 of the list");
    blames(TERMS, "shape([square(2, [a, b, c])])", 1, "1", "at argument 1 of square/2");
    blames(TERMS, "shape([sqare(1, [a, b, c])])", 1, "square(1, [a, b, c])", "did you mean square?");
    blames(
        TERMS,
        "shape([square(1, [a, b])])",
        1,
        "c]",
        "expects a list of 3 elements, but is called with a list of 2 elements at",
    );
    blames(TERMS, "point(p(a, b))", 2, "X", "expects a, but is called with b at argument 2 of p/2");
    blames(TERMS, "sign(up(down(right)))", 6, "Y = down(left)", "right and left differ at argument 1 of down/1");
    blames(TERMS, "pair(c, b)", 7, "f(X, b) = f(a, Y)", "c and a differ at argument 1 of f/2");
    blames(TERMS, "short([a])", 8, "_]", "expects a list of 2 elements, but is called with a list of 1 element at");
}

#[test]
fn numbers_and_texts() {
    blames(TERMS, "one(1.0)", 3, "1", "expects 1 (an integer), but is called with 1.0 (a float)");
    blames(TERMS, "one('1')", 3, "1", "expects 1 (an integer), but is called with '1' (an atom)");
    blames(TERMS, "half(1)", 4, "0.5", "is called with 1");
    blames(TERMS, "name(ann)", 5, "\"ann\"", "expects \"ann\" (a text), but is called with ann (an atom)");
}

const NUMBERS: &str = "\
small(X) :- number(X), Y is X + 1, Y < 2.
even(X) :- 0 =:= X mod 2.
next(X, Y) :- Y is X + 1.
real(X) :- integer(X).
digit(X) :- between(0, 9, X).
order(X, Y) :- X @< Y.
other(X, Y) :- X \\= Y.
same(X, Y) :- X == Y.
";

#[test]
fn arithmetic_and_tests() {
    blames(NUMBERS, "small(1)", 1, "Y < 2", "2 < 2 is false");
    blames(NUMBERS, "small(one)", 1, "number(X)", "one is an atom");
    blames(NUMBERS, "even(3)", 2, "0 =:= X mod 2", "0 =:= 1 is false: 3 mod 2 is 1");
    blames(NUMBERS, "next(1, 3)", 3, "Y is X + 1", "1+1 is 2, not 3");
    blames(NUMBERS, "next(1.0, 2)", 3, "Y is X + 1", "2.0 (a float), not 2 (an integer)");
    blames(NUMBERS, "real(0.5)", 4, "integer(X)", "0.5 is a float");
    blames(NUMBERS, "digit(10)", 5, "between(0, 9, X)", "10 is not between 0 and 9");
    blames(NUMBERS, "order(b, a)", 6, "X @< Y", "b is not before a");
    blames(NUMBERS, "other(a, a)", 7, "X \\= Y", "both are a");
    blames(NUMBERS, "same(a, b)", 8, "X == Y", "a and b differ");
    blames(NUMBERS, "same(a, _)", 8, "X == Y", "unbound");
}

const CONTROL: &str = "\
p(1). p(2). p(3).
none(X) :- p(X), \\+ p(X).
pick(X, Y) :- ( X > 2 -> Y = big ; Y = small ).
then(X) :- ( p(X) -> X > 5 ; true ).
only(X) :- ( p(X) -> true ).
cutty(X) :- X > 0, !, X > 10.
cutty(_).
first(X) :- p(X), !, X > 2.
all(L) :- forall(member(X, L), p(X)).
either(X) :- ( X = a ; X = b ).
deep(X) :- p(Y), Z is X * Y, Z > 100, p(Z).
soft(X) :- ( p(X) *-> X > 2, X < 3 ; true ).
gather(L) :- findall(X, p(X), L).
count(N) :- aggregate_all(count, p(_), N).
never :- fail.
once_big :- once(p(X)), X > 1.
";

#[test]
fn control() {
    blames(CONTROL, "none(2)", 2, "\\+ p(X)", "p(2) is true");
    blames(CONTROL, "pick(1, big)", 3, "Y = small", "big and small differ");
    blames(CONTROL, "pick(9, small)", 3, "Y = big", "small and big differ");
    blames(CONTROL, "then(2)", 4, "X > 5", "2 > 5 is false");
    blames(CONTROL, "only(7)", 1, "1", "no clause has 7");
    blames(CONTROL, "cutty(3)", 6, "X > 10", "clause 2 would succeed, but the cut in clause 1 excludes it");
    blames(CONTROL, "first(_)", 8, "X > 2", "the cut discards other solutions");
    blames(CONTROL, "all([1, 4])", 1, "1", "no clause has 4");
    blames(CONTROL, "either(c)", 10, "X = a", "c and a differ");
    blames(CONTROL, "deep(3)", 11, "Z > 100", "3 > 100 is false");
    blames(CONTROL, "soft(1)", 12, "X > 2", "1 > 2 is false");
    blames(CONTROL, "gather([1, 2])", 13, "findall(X, p(X), L)", "its last argument is [1,2,3], not [1,2]");
    blames(CONTROL, "count(2)", 14, "aggregate_all(count, p(_), N)", "its last argument is 3, not 2");
    blames(CONTROL, "never", 15, "never", "fail is never true");
    blames(CONTROL, "once_big", 16, "X > 1", "1 > 1 is false");
}

const LISTS: &str = "\
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
down(0).
down(N) :- N > 0, M is N - 1, down(M).
in(X) :- member(X, [north, south]).
each(L) :- maplist(low, L).
low(X) :- X < 3.
third(X) :- nth1(3, [a, b, c], X).
sized(L, N) :- length(L, N).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
edge(b, c).
filter(L) :- include([X]>>(X > 1), [1, 2], L).
:- table reach/2.
reach(X, Y) :- reach(X, Z), edge(Z, Y).
reach(X, X) :- edge(X, _).
";

#[test]
fn lists_and_recursion() {
    blames(LISTS, "len([a, b, c], 2)", 2, "N is M + 1", "2+1 is 3, not 2");
    blames(LISTS, "down(-1)", 4, "N > 0", "-1 > 0 is false");
    blames(LISTS, "down(2.5)", 4, "N > 0", "-0.5 > 0 is false");
    blames(LISTS, "in(nort)", 5, "member(X, [north, south])", "did you mean north?");
    blames(LISTS, "in(up)", 5, "member(X, [north, south])", "up is not in [north,south]");
    blames(LISTS, "each([1, 5])", 7, "X < 3", "5 < 3 is false");
    blames(LISTS, "third(b)", 8, "nth1(3, [a, b, c], X)", "its last argument is c, not b");
    blames(LISTS, "sized([a], 2)", 9, "length(L, N)", "its last argument is 1, not 2");
    blames(LISTS, "path(c, a)", 12, "a", "no clause has c at argument 1 of edge/2");
    blames(LISTS, "filter([1])", 14, "include([X]>>(X > 1), [1, 2], L)", "[2]");
    assert!(whynot(&session(LISTS), "reach(a, x)").failing.is_some(), "a table is explained");
}

#[test]
fn a_long_recursion_is_followed_to_its_end() {
    let (line, marked, said) = named(&session(LISTS), "down(150.5)");
    assert_eq!((line, marked.as_str()), (4, "N > 0"), "{said}");
    assert!(said.contains("-0.5 > 0 is false"), "{said}");
}

#[test]
fn moves_of_games() {
    let othello = game("othello");
    let (_, marked, said) = named(&othello, "initial(P), move(P, a1, _)");
    assert!(marked.contains("flips"), "{marked}: {said}");
    blamed(
        &game("nim"),
        "move(pos(max, [1, 2]), take(1, 2), _)",
        33,
        "between(1, Heap, N)",
        "2 is not between 1 and 1",
    );
    let taken = named(&game("tictactoe"), "moves(pos(x, [x,x,x,o,o,e,e,e,e]), [_])");
    assert!(!taken.1.is_empty(), "{taken:?}");
}

const NAMES: &str = "\
named(L) :- digit(I), even(I), name(I, L).
digit(1).
digit(2).
digit(3).
digit(4).
even(2).
even(4).
name(1, one).
name(2, two).
name(3, three).
name(4, four).
pair(A-B) :- left(A), right(A, X), B = X.
left(1).
left(2).
right(1, a).
right(2, b).
cut(L) :- digit(I), even(I), !, name(I, L).
";

#[test]
fn what_only_names_a_choice_is_not_to_blame() {
    // Neither 2 nor 4 has the name one. The number with the name one is not even.
    blames(NAMES, "named(one)", 6, "2", "no clause has 1 at argument 1 of even/1");
    let of_one = whynot(&session(NAMES), "named(one)").failing.expect("it fails");
    let tried = &of_one.clauses[0];
    let goals: Vec<(&str, GoalMark)> = tried.goals.iter().map(|step| (step.goal.as_str(), step.mark)).collect();
    let expected = [("digit(1)", GoalMark::True), ("even(1)", GoalMark::Failed), ("name(1,one)", GoalMark::True)];
    assert_eq!((goals.as_slice(), tried.times), (expected.as_slice(), 1));
    // No number has the name five, so the name is the reason. Alphorn does not reorder goals before a cut.
    blames(NAMES, "named(five)", 9, "two", "five");
    blames(NAMES, "pair(2-a)", 12, "B = X", "a and b differ");
    let thrown = "y(X) :- catch(z(X), _, fail).\nz(X) :- X > a.\n";
    blames(thrown, "y(1)", 1, "catch(z(X), _, fail)", "ends in the error type_error(evaluable,a/0)");
    blames(NAMES, "cut(four)", 9, "two", "expects two, but is called with four");
}

#[test]
fn a_move_may_stand_for_its_goal() {
    let othello = game("othello");
    let (_, marked, said) = named(&othello, "a1");
    assert_eq!(marked, "flips(Board, Size, Size, I, Player, Cells)", "{said}");
    // The rule for passing holds for `pass`, though it does not give `pass` in this position.
    let smallest = whynot(&othello, "pass").smallest.expect("it is not legal");
    assert_eq!((smallest.message.as_str(), smallest.attempts), ("d3=pass fails: d3 and pass differ", 4));
    assert_eq!((why(&othello, "pass", 1).found, why(&othello, "d3", 1).found), (0, 1));
    assert!(whynot(&othello, "d3").answer.is_some());
    // A number is always a number of the list of moves. A misspelt goal is not a move.
    assert!(whynot(&othello, "3").answer.is_some());
    assert!(whynot(&othello, "mov(P, a1, _)").error.is_some());
    let failure = othello.why_not("9", detail(), None).expect_err("there are four moves");
    assert!(failure.to_string().contains("A0615: 9 is not a legal move"), "{failure}");
    let four = game("connect_four");
    assert_eq!(named(&four, "9").1, "between(1, Width, Column)");
}

#[test]
fn goals_that_do_not_fail() {
    let colours = session(COLOURS);
    let why = whynot(&colours, "colour(X)");
    assert_eq!(why.answer, Some(vec![("X".to_string(), "red".to_string())]));
    assert!(why.failing.is_none() && why.error.is_none());
    let why = whynot(&colours, "color(red)");
    let error = why.error.expect("nothing defines it");
    assert_eq!((error.problem.code.text(), error.term.as_str()), ("A0603", "existence_error(procedure,color/1)"));
    // The message appears once: the error contains the text of the warning.
    assert_eq!(error.problem.help.as_deref(), Some("did you mean colour/1?"));
    assert!(why.warnings.problems.is_empty(), "{:?}", why.warnings.problems);
    let error = whynot(&colours, "likes(ann)").error.expect("it has another number of arguments");
    assert!(error.problem.help.is_some_and(|help| help.contains("likes/2")));
    let why = whynot(&colours, "X is foo + 1");
    assert_eq!(why.error.expect("foo has no value").problem.code, "A0603");
    assert_eq!(whynot(&colours, "colour(").error.expect("no goal").problem.code, "A0106");
}

#[test]
fn goals_without_end() {
    let rules = session("go(X) :- X > 0, go(X).\ngrow(X) :- X \\== [], grow(s(X)).\n");
    let why = whynot(&rules, "go(1)");
    let endless = why.endless.expect("it calls itself");
    assert_eq!((endless.goal.as_str(), endless.same), ("go(1)", true));
    assert_eq!(why.error.expect("the budget is spent").problem.code, "A0601");
    let endless = whynot(&rules, "grow(a)").endless.expect("it calls itself");
    assert!(!endless.same && endless.goal.starts_with("grow(s("), "{endless:?}");
}

fn goals_of(proof: &[ProofTree]) -> Vec<(String, String)> {
    let by = |proof: &ProofTree| match &proof.by {
        ProvedBy::Clause(_, number, _) => format!("clause {number}"),
        other => format!("{other:?}").to_lowercase(),
    };
    proof.iter().flat_map(|part| [vec![(part.goal.clone(), by(part))], goals_of(&part.parts)].concat()).collect()
}

#[track_caller]
fn proves(text: &str, goal: &str, answer: usize, expected: &[(&str, &str)]) {
    let found = why(&session(text), goal, answer).proof.unwrap_or_else(|| panic!("{goal} has no proof"));
    let found = goals_of(&found);
    let found: Vec<(&str, &str)> = found.iter().map(|(goal, by)| (goal.as_str(), by.as_str())).collect();
    assert_eq!(found, expected, "{goal}");
}

#[test]
fn proofs() {
    proves(COLOURS, "colour(X)", 2, &[("colour(blue)", "clause 2")]);
    proves(
        COLOURS,
        "paint(X)",
        1,
        &[
            ("paint(bob)", "clause 1"),
            ("likes(bob,blue)", "clause 2"),
            ("colour(blue)", "clause 2"),
            ("blue\\==red", "builtin"),
        ],
    );
    proves(
        CONTROL,
        "pick(1, X)",
        1,
        &[("pick(1,small)", "clause 1"), ("1>2->small=big;small=small", "branch(false)"), ("small=small", "builtin")],
    );
    proves(CONTROL, "cutty(-1)", 1, &[("cutty(-1)", "clause 2")]);
    proves(CONTROL, "\\+ p(4)", 1, &[("\\+p(4)", "refuted")]);
    proves(CONTROL, "gather(L)", 1, &[("gather([1,2,3])", "clause 1"), ("findall(X,p(X),[1,2,3])", "found(3)")]);
    proves(
        LISTS,
        "each([1])",
        1,
        &[("each([1])", "clause 1"), ("maplist(low,[1])", "library"), ("low(1)", "clause 1"), ("1<3", "builtin")],
    );
    proves(LISTS, "reach(a, c)", 1, &[("reach(a,c)", "table")]);
    proves(CONTROL, "either(b)", 1, &[("either(b)", "clause 1"), ("b=a;b=b", "either(false)"), ("b=b", "builtin")]);
    let none = why(&session(COLOURS), "colour(X)", 3);
    assert!((none.found, none.answer.is_none()) == (2, true));
}

const EARLY: &str = "\
p(X) :- var(X), X = 1.
q(X) :- X \\== a, X = a.
r(X) :- \\+ X == b, X = b.
s(L) :- findall(X, t(X, Y), L), u(Y).
t(1, a).
t(2, b).
t(3, b).
u(b).
n(C) :- aggregate_all(count, t(_, W), C), W = b.
";

#[test]
fn what_was_asked_too_early_is_told_as_it_was_asked() {
    let early = session(EARLY);
    for (goal, expected) in [
        ("p(X)", [("var(X)", true), ("1=1", false)]),
        ("q(X)", [("X\\==a", true), ("a=a", false)]),
        ("r(X)", [("\\+X==b", true), ("b=b", false)]),
        ("s(L)", [("findall(X,t(X,Y),L)", true), ("u(b)", false)]),
        ("n(C)", [("aggregate_all(count,t(_,W),C)", true), ("b=b", false)]),
    ] {
        let proof = why(&early, goal, 1).proof.expect("it is true");
        let told: Vec<(&str, bool)> = proof[0].parts.iter().map(|part| (part.goal.as_str(), part.as_called)).collect();
        assert_eq!(told, expected, "{goal}");
    }
}

#[test]
fn all_clauses_of_a_proof_are_counted_however_much_is_told() {
    let text = "sum([], 0).\nsum([X|Xs], S) :- sum(Xs, T), S is T + X.\n";
    let proving = ProofOptions { answer: 1, extent: Extent { depth: 2, goals: 3, text: 60 }, library: false };
    let found = session(text).why("sum([1, 2, 3], S), true", proving, None).expect("it can be asked");
    let used: Vec<_> =
        found.used.iter().map(|used| (used.predicate.as_str(), used.number, used.of, used.times)).collect();
    assert_eq!(used, [("sum/2", 1, 2, 1), ("sum/2", 2, 2, 3)]);
}

/// The leaves of a proof that are shown with all their bindings.
fn leaves(proof: &[ProofTree]) -> Vec<&ProofTree> {
    let below = |part: &'_ ProofTree| part.parts.is_empty() && part.folded == 0 && !part.as_called;
    proof.iter().flat_map(|part| if below(part) { vec![part] } else { leaves(&part.parts) }).collect()
}

#[test]
fn the_position_of_a_game_is_known() {
    let nim = game("nim");
    let form = nim.game().expect("it is a game");
    let now = nim.position(&form, &GameStart::default()).expect("it has an opening");
    let detail = detail();
    let why = nim.why_not("position_now(P), terminal(P)", detail, Some(now)).expect("it can be asked");
    assert!(why.failing.is_some(), "{:?}", why.error);
}

fn asked(session: &Session, goal: &str, limit: usize) -> Answers {
    let asking = QueryOptions { limit, canonical: false, keep: true };
    session.query(goal, asking, None, &mut |_, _, _| true).unwrap_or_else(|failure| panic!("{goal}: {failure:?}"))
}

/// Random programs: exactly the answers have a proof, with their bindings, and no true goal is explained as a
/// failure.
#[test]
fn explanations_agree_with_answers() {
    let programs: u64 = std::env::var("ALPHORN_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut proved, mut refuted, mut beyond, mut told) = (0, 0, 0, 0);
    for seed in 1..=programs {
        let sample = generate::sample(seed, false);
        let text = sample.text();
        let Ok(session) = opened("random.pl", &text, 20_000) else { continue };
        for goal in sample.asked.iter().map(ToString::to_string) {
            let answers = asked(&session, &goal, 3);
            for number in 1..=answers.count {
                let found = why(&session, &goal, number);
                match (&found.proof, &found.error) {
                    (_, Some(_)) => beyond += 1,
                    (None, None) => panic!("seed {seed}: answer {number} of {goal} is not proved\n{text}"),
                    (Some(proof), None) => {
                        for leaf in leaves(proof).iter().filter(|leaf| !leaf.goal.contains("...")) {
                            let again = asked(&session, &leaf.goal, 1);
                            let doubtful = again.error.is_some() || matches!(leaf.by, ProvedBy::Table);
                            assert!(again.count == 1 || doubtful, "seed {seed}: {goal}: {}\n{text}", leaf.goal);
                            told += 1;
                        }
                        assert_eq!(found.answer.as_ref(), answers.answers.get(number - 1), "seed {seed}: {goal}");
                        proved += 1;
                    }
                }
            }
            let not = whynot(&session, &goal);
            assert_eq!(not.answer.as_ref(), answers.answers.first(), "seed {seed}: {goal}\n{text}");
            match (answers.count, &answers.error) {
                (0, None) if not.error.is_some() => beyond += 1,
                (0, None) => {
                    let failing = not.failing.unwrap_or_else(|| panic!("seed {seed}: {goal}\n{text}"));
                    assert!(failing.says != "it is true here", "seed {seed}: {goal}\n{text}");
                    refuted += 1;
                }
                _ => assert!(not.failing.is_none(), "seed {seed}: {goal} does not fail\n{text}"),
            }
        }
    }
    assert!(proved > programs && refuted > programs / 4, "{proved} proved, {refuted} refuted, {beyond} beyond");
    assert!(told > programs, "{told} leaves");
    assert!(beyond * 20 < proved + refuted, "{beyond} of {proved} and {refuted} need more than their budget");
}
