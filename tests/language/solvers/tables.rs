//! Tests that tabled predicates have the same runs on both solvers: the machine runs the clauses of a call without a
//! cycle, and leaves the others to the reference solver.

use super::rows::assert_same_runs;

/// Calls without cycles, with ground arguments, outputs, partly bound terms and no answers.
#[test]
fn calls_without_cycles_have_the_same_runs() {
    let text = "
        :- table fib/2, even/1, odd/1, piece/2, pair/2, none/1, big/2, part/2, twice/1, zero/0.
        fib(0, 0). fib(1, 1).
        fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
        even(0). even(N) :- N > 0, M is N-1, odd(M).
        odd(N) :- N > 0, M is N-1, even(M).
        piece(L, X) :- member(X, L), X > 1.
        pair(X, Y) :- member(X, [c,a,b]), member(Y, [2,1]).
        none(X) :- member(X, [1,2,3]), X > 5.
        big(L, N) :- findall(X, piece(L, X), Xs), sum_list(Xs, N).
        part(f(X, _), X) :- member(X, [2,1,2]).
        part(g(_), _).
        twice(X) :- member(X, [1,1,1]).
        zero :- member(X, [1,2]), X > 1.
        counted(L, N) :- aggregate_all(count, piece(L, _), N).
        negated(X) :- member(X, [1,2,3,4]), \\+ even(X).
        all(N) :- forall(between(0, N, X), ( even(X) ; odd(X) )).
        first(L, X) :- piece(L, X), !.
        chosen(L, R) :- ( piece(L, X), X > 2 -> R = X ; R = none ).
        called(N, F) :- G = fib(N, F), call(G).
        mapped(L, R) :- maplist(fib, L, R).
        caught(N, R) :- catch(fib(N, R), error(E, _), R = E).
    ";
    let goals = [
        "fib(10, F)",
        "fib(10, 55)",
        "fib(10, 54)",
        "fib(N, F)",
        "even(10)",
        "even(9)",
        "odd(7)",
        "even(X)",
        "piece([1,2,3,2], X)",
        "piece([1,2,3], 3)",
        "piece([1,2,3], 1)",
        "piece(L, 3)",
        "pair(X, Y)",
        "pair(X, 1)",
        "pair(b, Y)",
        "pair(X, X)",
        "none(X)",
        "none(2)",
        "big([1,2,3,4], N)",
        "part(f(X, 1), Y)",
        "part(f(X, Y), X)",
        "part(A, B)",
        "part(g(1), B)",
        "twice(X)",
        "twice(1)",
        "zero",
        "counted([1,2,3], N)",
        "negated(X)",
        "all(6)",
        "first([1,2,3], X)",
        "chosen([1,2,3], R)",
        "chosen([1,2], R)",
        "called(7, F)",
        "mapped([1,5,7], R)",
        "caught(a, R)",
        "caught(6, R)",
        "fib(a, F)",
        "fib(5, F), fib(6, G), fib(5, H)",
        "member(N, [3,2,4]), fib(N, F), even(F)",
        "findall(X-Y, pair(X, Y), L), pair(a, Y)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Calls that need their own tables, alone, within others, and after work that must be undone.
#[test]
fn calls_with_cycles_have_the_same_runs() {
    let text = "
        :- table path/2, far/2, near/1, up/1, down/1, reach/2, size/2, one/1, two/1, three/1.
        edge(a, b). edge(b, c). edge(c, a). edge(c, d). edge(d, e).
        path(X, Y) :- path(X, Z), edge(Z, Y).
        path(X, Y) :- edge(X, Y).
        far(X, Y) :- path(X, Y), \\+ edge(X, Y).
        near(X) :- edge(X, Y), far(Y, _).
        reach(X, Y) :- edge(X, Y).
        reach(X, Y) :- edge(X, Z), reach(Z, Y).
        size(X, N) :- aggregate_all(count, reach(X, _), N).
        up(N) :- N < 5, M is N+1, down(M).
        up(5).
        down(N) :- N > 0, M is N-1, up(M).
        down(0).
        one(X) :- member(X, [1,2]).
        one(X) :- two(Y), X is Y+1, X < 6.
        two(X) :- three(X).
        two(X) :- one(Y), X is Y*2, X < 9.
        three(X) :- member(X, [7,3]).
        three(X) :- one(X), X > 4.
        inside(R) :- catch(path(a, R), _, true).
        nested(L) :- findall(X-Ys, ( member(X, [a,d]), findall(Y, path(X, Y), Ys) ), L).
        both(X) :- path(a, X), size(X, N), N > 2.
        once_only(X) :- once(path(c, X)).
        not_there :- \\+ path(e, _).
    ";
    let goals = [
        "path(a, X)",
        "path(X, Y)",
        "path(X, e)",
        "path(a, e)",
        "path(e, X)",
        "far(a, X)",
        "near(X)",
        "reach(a, X)",
        "reach(d, X)",
        "size(a, N)",
        "size(e, N)",
        "up(2)",
        "up(0)",
        "down(3)",
        "one(X)",
        "two(X)",
        "three(X)",
        "inside(R)",
        "nested(L)",
        "both(X)",
        "once_only(X)",
        "not_there",
        "near(X), path(X, d)",
        "size(d, N), size(a, M), path(b, X)",
        "member(X, [a,b,c,d,e]), far(X, e)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Errors within tables, with and without catch/3, output, and cycles that are found deep within other work.
#[test]
fn tables_left_by_errors_have_the_same_runs() {
    let text = "
        :- table risky/2, outer/2, loud/1, deep/2, ring/2, thrown/1.
        risky(X, Y) :- member(X, [1,2,3]), Y is 6 // (X - 3).
        outer(X, Y) :- catch(risky(X, Y), _, Y = error).
        loud(X) :- member(X, [1,2]), write(X), nl.
        deep(N, X) :- N > 0, M is N-1, deep(M, Y), member(X, [N, Y]).
        deep(0, X) :- member(X, [a,b]).
        ring(N, X) :- N < 4, M is N+1, member(Y, [1,2]), ( ring(M, Y) ; true ), X is N*Y.
        ring(N, X) :- N < 3, catch(ring(5, X), _, fail).
        ring(5, X) :- ring(2, Y), X is 1 / (Y - 2).
        ring(4, X) :- ring(0, X).
        ring(_, 2).
        thrown(X) :- member(X, [1,2,3]), ( X > 2 -> throw(found(X)) ; true ).
        again(R) :- catch(thrown(_), B, true), catch(thrown(_), C, true), R = B-C.
        safe(Y) :- catch(outer(X, Y), _, fail), X < 9.
        retry(L) :- catch(risky(_, _), _, true), findall(Y, risky(1, Y), L).
    ";
    let goals = [
        "risky(1, Y)",
        "risky(X, Y)",
        "risky(3, Y)",
        "outer(3, Y)",
        "outer(X, Y)",
        "loud(X)",
        "loud(2)",
        "deep(4, X)",
        "ring(0, X)",
        "ring(2, X)",
        "ring(0, X), ring(3, Y)",
        "again(R)",
        "safe(Y)",
        "retry(L)",
        "catch(thrown(X), found(Y), true)",
        "thrown(X)",
        "risky(1, Y), catch(risky(3, Z), _, true), risky(2, W)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Calls with arguments that are bound in part, beside calls with other variables: each keeps its own table.
#[test]
fn calls_with_variables_within_arguments_have_the_same_runs() {
    let text = "
        :- table p/2, q/2, r/3.
        p(1, _).
        p(_, _) :- p(_, f(_)).
        p(X, f(_)) :- p(_, X).
        q(1, _).
        q(_, [_]) :- q(_, f(_)).
        q(X, f(a)) :- q(_, X), q(1, _).
        r(X, X, _) :- member(X, [b, a]).
        r(X, f(Y), Z) :- r(Y, X, [Z|_]), r(Y, Y, Z).
        r(g(X), _, X) :- r(X, f(X), _).
    ";
    let goals = [
        "p(f(_), A)",
        "p(A, A)",
        "p(A, f(_))",
        "p(A, B)",
        "p(_, f(B)), p(B, C)",
        "q(A, A)",
        "q(A, f(B))",
        "q(f(A), B)",
        "q(A, [B])",
        "r(A, B, C)",
        "r(A, f(A), B)",
        "r(a, f(B), C)",
        "r(A, A, A)",
        "r(g(A), B, A)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}
