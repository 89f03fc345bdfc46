//! Tests that clauses with lambda expressions have the same runs on both solvers.
//!
//! The machine gives each lambda expression its own variables, where no call can bind the common ones.

use super::rows::assert_same_runs;

/// One variable in several lambda expressions, and in goals that bind nothing.
#[test]
fn lambda_expressions_with_common_variables_have_the_same_runs() {
    let text = "
        twice(L,R) :- maplist([X,Y]>>(Y is X+1),L,L1), maplist([X,Y]>>(Y is X*2),L1,R).
        behind_findall(L,R) :- findall(X-1, member(X,L), Ps), maplist([X,Y]>>(X=A-B, Y is A+B), Ps, R).
        filtered(L,R) :- include([X]>>(X>2), L, A), exclude([X]>>(X>4), A, R).
        shared_factor(L,K,R) :- maplist({K}/[X,Y]>>(Y is X*K), L, A), foldl([X,S,T]>>(T is S+X), A, 0, R).
        in_branches(L,R) :- ( L = [_|_] -> maplist([X,Y]>>(Y = f(X)), L, R) ; maplist([X,Y]>>(Y = g(X)), [1], R) ).
        bound_outside(L,X) :- maplist([Y]>>(Y > 0), L), member(X, L), include([Y]>>(Y > X), L, B), B = [].
        bound_by_none(L,Z) :- maplist([X]>>(X = Z), L), include([X]>>(X == Z), L, _).
        behind_negation(L) :- \\+ ( member(X, L), X > 9 ), maplist([X]>>(X < 10), L).
        behind_forall(L,N) :- forall(member(X,L), X > 0), aggregate_all(count, (member(X,L), X > 1), N0), foldl([X,A,B]>>(B is A + X), L, N0, N).
        as_terms(P,Q) :- P = [X]>>foo(X), Q = [X]>>bar(X), P = ([a]>>_).
        nested(Ls,R) :- maplist([L,M]>>(maplist([X,Y]>>(Y is X+1), L, M)), Ls, A), maplist([L,M]>>(include([X]>>(X>2), L, M)), A, R).
        within_findall(L,R) :- findall(X-N, (member(X,L), include([Y]>>(Y > X), L, G), length(G,N)), R0), maplist([X,Y]>>(X = Y-_), R0, R1), maplist([X,Y]>>(Y = X), R1, R).
        of_findall(L,R) :- findall(X, (member(X,L), maplist([X]>>(true), L)), R).
        shared_value(L,R) :- maplist({X}/[Y]>>(X = Y), L), maplist([X]>>(true), L), R = X.
        with_conditions(L,R) :- maplist([X,Y]>>(X > 1 -> Y = big ; Y = small), L, A), maplist([X,Y]>>(X == big, ! , Y = 1 ; Y = 0), A, R).
        with_error(L,R) :- maplist([X,Y]>>(Y is X + a), L, R), maplist([X,Y]>>(Y = X), L, R).
    ";
    let goals = [
        "twice([1,2,3],R)",
        "behind_findall([1,2,3],R)",
        "filtered([1,2,3,4,5],R)",
        "shared_factor([1,2,3],4,R)",
        "in_branches([1,2],R)",
        "in_branches([],R)",
        "bound_outside([1,2,3],X)",
        "bound_by_none([a,a],Z)",
        "bound_by_none([a,b],Z)",
        "bound_by_none([],Z)",
        "behind_negation([1,2])",
        "behind_negation([1,20])",
        "behind_forall([1,2,3],N)",
        "as_terms(P,Q)",
        "nested([[1,2],[3]],R)",
        "within_findall([1,2,3],R)",
        "of_findall([1,2],R)",
        "of_findall([1,1],R)",
        "shared_value([a,a],R)",
        "shared_value([a,b],R)",
        "with_conditions([1,2],R)",
        "with_error([1],R)",
        "twice(L,R)",
        "filtered(foo,R)",
        "behind_findall([],R)",
        "twice([_,2],R)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}
