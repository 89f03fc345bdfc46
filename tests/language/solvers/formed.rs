//! Tests of goals that are compiled for their form: of `catch/3`, `bagof/3` and `setof/3`.

use super::rows::assert_same_runs;

/// The goal of catch/3 is compiled for its form, but its variables keep no value if it throws.
#[test]
fn goals_that_may_throw_have_the_same_runs() {
    let text = "
        n(1). n(2). n(3).
        even(X) :- 0 is X mod 2.
        safe(X, Y) :- catch((n(X), X > 1, Y is X * 2), _, Y = none).
        first(X) :- catch((n(X), !), _, true).
        cut(X) :- n(X), catch((even(X), ! ; X > 2), _, true).
        late(X, Y) :- catch(n(X), found(Y), true), X > 1, throw(found(X)).
        inner(X, Y) :- catch((catch((n(X), X > 1, throw(found(X))), other(_), true), X > 9), found(Y), true).
        given(X, L) :- catch((L = [X|T], (X > 2 -> throw(big) ; T = [])), big, L = none).
        again(X) :- catch((n(X) ; throw(end)), end, X = end).
        loop(0).
        loop(N) :- N > 0, M is N - 1, catch(loop(M), _, true).
        deep(N, R) :- catch((N > 0, M is N - 1, deep(M, R) ; N =:= 0, throw(bottom(N))), bottom(0), R = caught).
        user(G, R) :- catch(G, E, R = E).
        wrong(R) :- catch((n(X), X + 1 > a), error(E, _), R = E).
        missing(R) :- G = nowhere(1), catch((n(_), G), error(E, _), R = E).
        text(R) :- G = 1, catch((n(_), G), error(E, _), R = E).
        both(L) :- findall(X-Y, catch((n(X), catch((n(Y), Y > X), _, fail)), _, true), L).
        recovery(X) :- catch((n(X), X > 2, throw(a)), a, (n(X), X < 3)).
        shared(Y) :- catch((n(Y), Y > 1, throw(p(Y, _))), p(Z, Z), true).
        tail(L) :- numlist(1, 300, L0), sums(L0, 0, L).
        sums([], S, S).
        sums([X|Xs], S, R) :- catch((T is S + X, sums(Xs, T, R)), _, fail).
    ";
    let goals = [
        "safe(X, Y)",
        "safe(a, Y)",
        "safe(0, Y)",
        "first(X)",
        "cut(X)",
        "late(X, Y)",
        "inner(X, Y)",
        "given(1, L)",
        "given(3, L)",
        "given(a, L)",
        "again(X)",
        "loop(0)",
        "loop(40)",
        "deep(30, R)",
        "user((n(X), even(X)), R)",
        "user((n(X), throw(X)), R)",
        "user(_, R)",
        "wrong(R)",
        "missing(R)",
        "text(R)",
        "both(L)",
        "recovery(X)",
        "shared(Y)",
        "tail(L)",
        "catch((n(X), even(X), throw(X)), Y, true)",
        "catch(safe(X, Y), _, true), Y > 4",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// A variable that only a negation or a collection of solutions binds makes no groups in `bagof/3` and `setof/3`.
#[test]
fn solutions_with_local_variables_have_the_same_runs() {
    let text = "
        n(3-a). n(1-b). n(2-a). n(1-c).
        owned(1-x).
        free(L) :- setof(N, K^(n(N-K), \\+ owned(N-_)), L).
        pairs(L) :- setof(N-K, (n(N-K), \\+ owned(N-_), forall(owned(X), X \\= N-_)), L).
        counted(L) :- bagof(N-C, K^(n(N-K), aggregate_all(count, owned(N-_), C)), L).
        found(L) :- bagof(N, (n(N-a), findall(V, owned(N-V), [])), L).
        other(L) :- setof(N, (n(N-a), N \\= f(_), N \\== _), L).
        groups(K, L) :- bagof(N, (\\+ owned(Z-Z), n(N-K)), L).
        late(K, L) :- bagof(N, (n(N-K), \\+ owned(K-_)), L).
        once_in(K, L) :- bagof(N, (once(n(N-K)), call(n(N-K))), L).
        given(X, L) :- bagof(N, (n(N-a), \\+ owned(N-X)), L).
        built(G, L) :- bagof(N, G, L).
        twice(L, M) :- setof(E, K^n(E-K), L), member(D, L), setof(E, (E = D ; member(E, [5, 4]), \\+ owned(E-_)), M).
    ";
    let goals = [
        "free(L)",
        "pairs(L)",
        "counted(L)",
        "found(L)",
        "other(L)",
        "groups(K, L)",
        "late(K, L)",
        "once_in(K, L)",
        "given(X, L)",
        "given(x, L)",
        "built((n(N-a), \\+ owned(N-_)), L)",
        "built((n(N-K), \\+ owned(K-_)), L)",
        "built(\\+ owned(5-_), L)",
        "twice(L, M)",
        "bagof(N, (n(N-K), \\+ owned(N-_)), L)",
        "bagof(X, (member(X, [2, 1]), \\+ owned(X-Y)), L), Y = 7",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
    let own = format!("{text}\naggregate_all(count, G, 7) :- call(G).\n");
    assert_eq!(assert_same_runs(&own, &["counted(L)", "bagof(N, aggregate_all(count, n(N-K), C), L)"]), 2);
}
