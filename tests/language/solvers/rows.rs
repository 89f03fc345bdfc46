//! Tests that the goals of the tables in `tests/data/` have the same runs on both solvers.
//!
//! The input is the goals of `conformance.tsv` and `library.tsv`, run without a program, and those of
//! `modules.tsv` and `private/private.tsv`, run with `modules.pl` and `private/game.pl`.

use super::compare::{Kinds, Seen, differences};
use super::program::{Asked, Goal};
use super::{ANSWERS, Ground, IGNORED, Pair, World, both, interpreted, native, pair};
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

#[test]
fn goals_of_files_with_private_predicates_have_the_same_runs() {
    let rows = include_str!("../../data/private/private.tsv").lines().filter_map(|row| row.split('\t').next());
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/private/game.pl");
    let source = Source::read(file).expect("the file can be read");
    let seen = assert_same_runs_of(300_000, source, &rows.collect::<Vec<&str>>());
    assert!(seen > 10, "only {seen} rows could be asked");
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

/// A procedure is compiled before some of its blocks run: those are left to the loop, and compiled later.
#[test]
fn blocks_that_run_late_have_the_same_runs() {
    let text = "
        phase(N, early) :- N < 20, !.
        phase(N, L) :- N < 40, !, findall(X, part(N, X), L).
        phase(N, V) :- N < 60, !, ( N mod 2 =:= 0 -> V = even ; V = odd(N) ).
        phase(N, V) :- \\+ N = 70, V is N * N.
        part(N, X) :- between(1, 3, Y), X is Y + N.
        part(_, last).
        all(N, []) :- N > 90, !.
        all(N, [V|Vs]) :- phase(N, V), !, M is N + 1, all(M, Vs).
        all(N, [none|Vs]) :- M is N + 1, all(M, Vs).
    ";
    let loaded = Ground::new().load(Source::typed("program.pl", text)).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let budget = Budget { steps: 300_000, memory: 64 << 20 };
    for hot in [1, 2, 3, 10] {
        let mut solvers = pair(&loaded, Some(hot));
        for goal in ["all(0, L)", "all(30, L)", "between(1, 90, N), phase(N, V), atom(V)", "all(0, L)"] {
            let asked = Asked::Goal(vec![Goal::Leaf(goal.to_string())]);
            let (left, right) = both(&loaded, &mut solvers, &asked, budget, ANSWERS).expect("the goal can be asked");
            let found = differences(&left, &right, &Kinds::but(IGNORED));
            assert!(found.is_empty(), "{goal}, native from {hot}: {} differences", found.len());
        }
    }
}

/// The loop runs sequences of arithmetic and tests again if a value is no small integer, or a test fails that has not
/// failed before: also with results in the place of operands, and with errors.
#[test]
fn sequences_that_are_left_have_the_same_runs() {
    let text = "
        value(N, V) :- N < 30, !, V is N.
        value(N, V) :- N < 40, !, V is N / 4.0.
        value(N, V) :- N < 50, !, V is N << 56.
        value(N, V) :- N < 60, !, V is -N.
        value(60, a) :- !.
        value(61, 1 + 2) :- !.
        value(N, V) :- V is (1 << 59) - N.
        worked(N, V) :-
            value(N, X),
            A is X + 3, B is A * A, C is min(A, B) - X * 2, D is (B << 3) - C,
            E is D + 1 << 2 + 2, ( X > 20 -> F is E - A ; F is E + B ), F =\\= 7,
            G is F + A + B + C + D, V = v(A, C, F, G).
        bits(N, V) :-
            value(N, X), A is X /\\ 255, B is A >> 2, A1 is B \\/ 1, C is A1 xor B, D is popcount(C) + msb(A1),
            E is X mod 8 + X // 3, F is X mod -8 + X rem 4, V = v(D, E, F).
        part(N, V) :-
            value(N, X), T = t(X, f(N), [N|a]), arg(1, T, A), arg(3, T, [H|R]), arg(2, T, F), F = f(M),
            B is A * 2 + H, M >= 0, ( B > 50 -> R == a ; R \\== b ), C is B - M, V = C.
        fixed(N, V) :- W is 7 * 6 + 2, M is 1 << W, value(N, X), V is M - X * (W mod 5) + (M >> 40) // 3.
        each(P, N, []) :- N > 70, !, P \\== none.
        each(P, N, [V|Vs]) :-
            Goal =.. [P, N, W],
            catch(( Goal -> V = W ; V = no ), error(E, _), V = E),
            M is N + 1, each(P, M, Vs).
        down(N, S, S) :- N =:= 0, !.
        down(N, S0, S) :- A is N * N, B is A + S0, S1 is B mod 1000003, M is N - 1, down(M, S1, S).
    ";
    let loaded = Ground::new().load(Source::typed("program.pl", text)).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let budget = Budget { steps: 300_000, memory: 64 << 20 };
    let predicates = ["worked", "bits", "part", "fixed"];
    let mut goals: Vec<String> =
        predicates.iter().flat_map(|name| [0, 29, 0].map(|n| format!("each({name}, {n}, L)"))).collect();
    goals.extend(predicates.iter().flat_map(|name| [5, 45, 60, 61].map(|n| format!("{name}({n}, V)"))));
    goals.extend(["down(3000, 0, S)", "down(20, 1.5, S)", "down(40, a, S)", "down(30, 1 << 70, S)"].map(String::from));
    for hot in [1, 2, 3, 10] {
        let mut solvers = pair(&loaded, Some(hot));
        for goal in &goals {
            let asked = Asked::Goal(vec![Goal::Leaf(goal.clone())]);
            let (left, right) = both(&loaded, &mut solvers, &asked, budget, ANSWERS).expect("the goal can be asked");
            let found = differences(&left, &right, &Kinds::but(IGNORED));
            assert!(found.is_empty(), "{goal}, native from {hot}: {} differences", found.len());
        }
    }
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
pub(super) fn assert_same_runs(text: &str, goals: &[&str]) -> usize {
    assert_same_runs_within(300_000, text, goals)
}

fn assert_same_runs_within(steps: u64, text: &str, goals: &[&str]) -> usize {
    assert_same_runs_of(steps, Source::typed("program.pl", text), goals)
}

fn assert_same_runs_of(steps: u64, source: Source, goals: &[&str]) -> usize {
    let ground = Ground { world: World { whole_library: true, ..rules::world() }, ..Ground::new() };
    let loaded = ground.load(source).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let mut pair = native(&loaded);
    let kinds = Kinds::but(IGNORED);
    let budget = Budget { steps, memory: 64 << 20 };
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

/// A query with tables of an earlier query has the answers that it has alone, and never takes more steps.
#[test]
fn kept_tables_save_steps() {
    let text = "
        :- table way/2, far/1.
        edge(a, b). edge(b, c). edge(c, a). edge(c, d). edge(d, e).
        way(X, Y) :- edge(X, Y).
        way(X, Y) :- way(X, Z), edge(Z, Y).
        way(X, Y) :- edge(X, Z), way(Z, Y).
        far(X) :- way(d, X).
    ";
    let ground = Ground::new();
    let loaded = ground.load(Source::typed("program.pl", text)).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let budget = Budget { steps: 100_000, memory: 64 << 20 };
    let goals = ["way(a, X)", "way(b, X)", "far(X)", "way(d, X)", "way(X, Y)", "way(c, e)"];
    let run = |pair: &mut Pair, goal: &str| {
        let asked = Asked::Goal(vec![Goal::Leaf(goal.to_string())]);
        let (left, right) = both(&loaded, pair, &asked, budget, ANSWERS).expect("the goal can be read");
        assert_eq!(left.steps, right.steps, "{goal}");
        left
    };
    let mut fewer = 0;
    for first in goals {
        for second in goals {
            let alone = run(&mut interpreted(&loaded), second);
            let mut pair = interpreted(&loaded);
            run(&mut pair, first);
            let after = run(&mut pair, second);
            let values = |seen: &Seen| seen.answers.iter().map(|answer| answer.values.clone()).collect::<Vec<_>>();
            assert_eq!(values(&after), values(&alone), "{first}, then {second}");
            assert!(after.steps <= alone.steps, "{first}, then {second}");
            fewer += u32::from(after.steps < alone.steps);
        }
    }
    assert!(fewer >= 12, "{fewer} take fewer steps");
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

/// Helpers whose code replaces their calls: in conditions, in loops, with answers left, with errors.
#[test]
fn calls_of_small_helpers_have_the_same_runs() {
    let text = "
        board(b(r(a, b, c), r(d, a, e), r(b, b, a))).
        cell(B, X, Y, C) :- row(B, Y, R), arg(X, R, C).
        row(B, Y, R) :- arg(Y, B, R).
        same(B, X, Y, C) :- cell(B, X, Y, D), D == C.
        run(B, X, Y, C, N0, N) :- X1 is X + 1, next(B, X1, Y, C, N0, N).
        next(B, X, Y, C, N0, N) :- same(B, X, Y, C), !, N1 is N0 + 1, run(B, X, Y, C, N1, N).
        next(_, _, _, _, N, N).
        runs(N) :- board(B), between(1, 3, Y), cell(B, 1, Y, C), run(B, 1, Y, C, 1, N).
        where(C, X-Y) :- board(B), between(1, 3, Y), between(1, 3, X), same(B, X, Y, C).
        lacks(C, Y) :- board(B), between(1, 3, Y), \\+ (between(1, 3, X), same(B, X, Y, C)).
        kind(X, K) :- ( small(X) -> K = small ; middle(X) -> K = middle ; K = large ).
        small(X) :- X < 3.
        middle(X) :- ( X > 5 -> X < 8 ; X =:= 4 ).
        pick(X, Y) :- ( choose(X, Y) -> true ; Y = none ).
        pick_all(X, Y) :- ( choose(X, Y) *-> true ; Y = none ).
        choose(1, a). choose(1, b). choose(2, c). choose(X, d(X)) :- X > 2.
        twice(X, p(A, B)) :- choose(X, A), choose(X, B), A \\== B.
        left(X, Y, Z) :- open(Y), ( Y = X ; Z = X ).
        open(_).
        bind(X, Y) :- ( set(X, Y), Y > 1 -> true ; Y = 0 ).
        set(X, Y) :- Y = X.
        down(0, L, L) :- !.
        down(N, L0, L) :- keep(N, L0, L1), M is N - 1, down(M, L1, L).
        keep(N, L, [N|L]) :- even(N), !.
        keep(_, L, L).
        even(N) :- 0 is N mod 2.
        deep(N, R) :- ( N > 0 -> M is N - 1, deep(M, S), add(S, N, R) ; R = 0 ).
        add(A, B, C) :- C is A + B.
        bad(X, Y) :- helper(X, Z), Y is Z + 1.
        helper(X, Z) :- inner(X, Z).
        inner(X, Z) :- ( X > 1 -> Z is X + foo ; Z = X ).
        sum(X, S) :- findall(Y, ( between(1, X, Y), even(Y) ), L), sum_list(L, S).
        first(X, Y) :- between(X, 9, Y), even(Y), !.
        both(X, R) :- ( atom_length(X, N), X == X -> R = N ; R = no ).
        often(0, _, x) :- !.
        often(I, X, R) :- both(X, _), J is I - 1, often(J, X, R).
        huge(X, Y) :- between(1, 4, D), Y is X * (1 << (20 * D)), even(Y).
    ";
    let goals = [
        "runs(N)",
        "where(a, P)",
        "where(b, P)",
        "lacks(C, Y)",
        "lacks(d, Y)",
        "member(X, [0, 3, 4, 6, 9, 2.5, 7 + 0]), kind(X, K)",
        "kind(a, K)",
        "member(X, [0, 1, 2, 3]), pick(X, Y)",
        "member(X, [0, 1, 2, 3]), pick_all(X, Y)",
        "twice(1, P)",
        "twice(2, P)",
        "left(1, Y, Z)",
        "left(1, 2, Z)",
        "member(X, [0, 1, 2]), bind(X, Y)",
        "bind(2, 3)",
        "bind(2, Y), bind(Y, 0)",
        "down(9, [], L)",
        "down(-1, [], L)",
        "deep(40, R)",
        "deep(a, R)",
        "bad(1, Y)",
        "bad(2, Y)",
        "bad(a, Y)",
        "catch(bad(2, Y), error(E, _), true)",
        "sum(7, S)",
        "sum(inf, S)",
        "sum(a, S)",
        "first(3, Y)",
        "first(10, Y)",
        "both(foo, R)",
        "often(100, foo, R)",
        "member(X, [1, 3, -5, 1 << 61, 0.5]), huge(X, Y)",
        "cell(B, 1, 1, C)",
        "board(B), cell(B, 0, 1, C)",
        "board(B), cell(B, 1, -1, C)",
        "board(B), cell(B, 1, 1 << 70, C)",
        "board(B), cell(B, x, 1, C)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Outputs that only the code of one procedure writes and reads, and outputs that also leave it.
#[test]
fn outputs_in_slots_have_the_same_runs() {
    let text = "
        jump(X, Y) :- member(X, [-2, -1, 1, 2]), member(Y, [-2, -1, 1, 2]), abs(X) + abs(Y) =:= 3.
        from(A-B, C-D) :- jump(X, Y), C is A + X, between(1, 4, C), D is B + Y, between(1, 4, D).
        far(P, R, T) :- from(P, Q), from(Q, R), P \\== R, \\+ from(P, R), T = p(Q, R).
        either(X, L) :- ( member(X, L), X > 2 ; member(X, [a, b]) ; X = L ).
        first(X, L, Y) :- ( member(X, L), X > 1 -> Y = X ; member(Y, L) ).
        soft(X, L, Y) :- ( member(X, L), X > 1 *-> Y = X ; Y = none ).
        pairs(L, Ps) :- findall(X-Y, ( member(X, L), member(Y, L), X < Y ), Ps).
        held(L, f(X, Y)) :- member(X, L), member(Y, [X, c]).
        open(L, X) :- member(X, L), ( X = f(Y) -> Y = 1 ; true ).
        sum(L, S) :- member(X, L), member(Y, L), add(X, Y, S).
        add(X, Y, Z) :- Z is X + Y.
        bad(L, Y) :- member(X, L), wrong(X, Y).
        wrong(X, Y) :- ( X > 1 -> Y is X + foo ; Y = X ).
        down(N, L, [X|R]) :- N > 0, member(X, L), M is N - 1, down(M, L, R).
        down(0, _, []).
        none(L) :- \\+ ( member(X, L), member(Y, L), X =\\= Y ).
        caught(L, E) :- catch(( member(X, L), bad([X], _), fail ), error(E, _), true).
        loop(0, A, A) :- !.
        loop(N, A, B) :- member(X, [1, 2]), X > 1, C is A + X, M is N - 1, loop(M, C, B).
        cut(L, X, Y) :- member(X, L), !, member(Y, L).
        last(L, X) :- findall(Y, ( member(Y, L), Y \\= 3 ), Ys), member(X, Ys).
        max(L, M) :- aggregate_all(max(X-Y), ( member(X, L), member(Y, [X, 0]) ), M).
        kind(X, K) :- ( integer(X) -> K = i ; atom(X) -> K = a ; var(X) -> K = v ; number(X) -> K = n ; K = c ).
        kinds(L, Ks) :- findall(K, ( member(X, L), kind(X, K) ), Ks).
        cons(X, T) :- T =.. [g, X|Z], Z = [].
        parts(T, N, As) :- T =.. [N|As].
    ";
    let goals = [
        "jump(X, Y)",
        "from(1-1, P)",
        "far(1-1, R, T)",
        "either(X, [1, 3, 2, 4])",
        "first(X, [0, 1, 2, 3], Y)",
        "first(X, [0, 1], Y)",
        "soft(X, [0, 2, 3], Y)",
        "soft(X, [0], Y)",
        "pairs([3, 1, 2], Ps)",
        "held([a, b], T)",
        "open([f(_), f(2), f(1), b], X)",
        "open([f(Z), Z], X)",
        "sum([1, 2, 1 << 59, 1 << 62, 0.5], S)",
        "sum([1, a], S)",
        "bad([0, 1, 2, 3], Y)",
        "bad([0, Z], Y)",
        "down(3, [a, b], L)",
        "down(2, [X, f(X)], L)",
        "none([1, 1.0])",
        "none([1, 2])",
        "caught([0, 2], E)",
        "loop(9, 0, B)",
        "cut([a, b], X, Y)",
        "last([1, 2, 3], X)",
        "last([X, 1], X)",
        "max([1, 3, 2], M)",
        "kinds([1, a, _, 2.5, f(x), 1 << 70, \"t\", []], Ks)",
        "kinds([X, X], Ks)",
        "cons(a, T)",
        "parts(f(X, Y, X), N, As)",
        "parts(f(a), N, [b])",
        "parts([h, t], N, As)",
        "parts(T, f, [X, Y])",
        "parts(T, '.', [X, Y])",
        "parts(T, f, [X|Y])",
        "parts(T, f(x), [])",
        "parts(T, 1, [])",
        "parts(T, f, x)",
        "numlist(1, 4, L), length(L, N)",
        "numlist(3, 2, L)",
        "numlist((1 << 60) - 2, (1 << 60) + 1, L)",
        "length(L, 3), L = [a|_], nth1(I, L, X)",
        "length([a, b|T], 4), T = [X, Y], X = Y",
        "nth1(0, [a, b], X, R)",
        "nth0(1, [a, b], X, R)",
        "nth1(a, [a, b], X, R)",
        "nth0(-1, [a, b], X, R)",
        "append([[a], B], [a, c])",
        "append([[a]|T], [a, c])",
        "list_to_set(foo, S)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Regression test: the clauses of a helper use the same slots for other values, and a height of one clause
/// was saved over a value of the next.
#[test]
fn heights_of_one_clause_leave_the_values_of_the_next() {
    let text = "
        p(A, R) :- h(A, V), R = V.
        p(_, x).
        q(A, R) :- between(1, 3, _), h(A, V), R = V.
        h(a, V) :- ( nd(1, Y), Y > 2 -> V = Y ; V = none ).
        h(b, V) :- Y is 3 + 0, nd(Y, V).
        nd(X, X).
        nd(X, Y) :- X < 5, Z is X + 1, nd(Z, Y).
        u(A, R) :- \\+ ( h(A, V), V < 3 ), R = ok.
        r(A, T, R) :- g(A, T, V), R = V.
        r(_, _, x).
        g(a, T, V) :- ( any(T, Y), Y > 2 -> V = Y ; V = none ).
        g(d, T, V) :- arg(1, T, X), any(X, V).
        any(X, X).
        any(X, f(X)) :- atom(X).
    ";
    let goals =
        ["p(a, R)", "p(b, R)", "q(b, R)", "u(a, R)", "u(b, R)", "r(d, f(u, [1, 2]), R)", "r(d, f([1, 2], u), R)"];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Regression test: an operation without a goal of its own, behind code that replaced a call, took the place
/// of an error from that code.
#[test]
fn operations_behind_a_helper_keep_their_place() {
    let text = "
        c(X, L) :- findall(Y, h(X, Y), L).
        h(X, Y) :- f(X, Y).
        f(1, a). f(2, b). f(3, c). f(4, a).
        k :- once, findall(V, member(V, [f(V, c)]), _).
        once :- t(X), X > 1, !.
        t(1). t(2).
        s(X, Y) :- ( h(X, a) -> Y = 1 ; between(1, 9, Y), h(Y, _), Y > X ).
    ";
    let goals = ["c(3, L)", "c(X, L)", "k", "s(1, Y)", "s(2, Y)", "s(X, Y)", "c(9, L)"];
    for steps in 1..12 {
        assert_eq!(assert_same_runs_within(steps, text, &goals), goals.len(), "{steps} steps");
    }
}
