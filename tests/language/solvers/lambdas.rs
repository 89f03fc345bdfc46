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

/// Variables of the clause in lambda expressions: with values that are ground or not, and unbound.
#[test]
fn lambda_expressions_with_variables_of_the_clause_have_the_same_runs() {
    let text = "
        given(open, [1,_,3]). given(ground, [1,2,3]). given(no_list, f(_)). given(empty, []). given(number, 2).
        same_list(R0,S) :- given(_,R0), copy_term(R0,R), include([X]>>memberchk(X,R), R, S).
        kept(R,L,S) :- include([X]>>memberchk(X,R), L, S).
        dropped(L,R,S) :- exclude([X]>>memberchk(X,R), L, S), S \\= [].
        from_other(S) :- given(K,R), K \\== no_list, maplist([X,Y]>>(Y = X-R), [1,2], S).
        later_bound(S,Y) :- maplist([X,Z]>>(Y = X, Z = Y), [1,2,3], S), Y = later.
        bound_before(S) :- length(L,2), L = [a,b], maplist([X,Z]>>(nth1(X,L,Z)), [1,2], S).
        partly_bound(S,B) :- L = [a|B], maplist([X,Z]>>(nth1(X,L,Z)), [1,2], S), B = [c].
        from_answers(S) :- findall(X, member(X,[1,2]), L), maplist([X]>>(member(Y,L), Y >= X), L), S = L.
        two_values(A,B,S) :- maplist([X,Y]>>(Y = t(X,A,B)), [1,2], S).
        folded(F,S) :- foldl([X,A,B]>>(B = [X-F|A]), [1,2], [], S).
        in_negation(L,X) :- \\+ maplist([Y]>>(Y < X), L).
        in_condition(L,X,R) :- ( maplist([Y]>>(Y < X), L) -> R = all ; include([Y]>>(Y < X), L, R) ).
        in_disjunction(L,X,R) :- ( include([Y]>>(Y < X), L, R) ; exclude([Y]>>(Y < X), L, R) ; R = X ).
        twice_nested(X,S) :- maplist([L,M]>>(maplist([A,B]>>(B = A-X), L, M)), [[1],[2,3]], S).
        own(P,L,S) :- own_(L,P,S).
        own_([],_,[]).
        own_([X|Xs],P,[Y|Ys]) :- call(P,X,Y), own_(Xs,P,Ys).
        of_own(L,S) :- own([X,Y]>>(Y = X/L), L, S).
        parameter_is_outer(X,S) :- maplist([X,Y]>>(Y = X), [1,1], S).
        last_of(L,S) :- same(L,M), last_goal(M,S).
        same(L,L).
        last_goal(M,S) :- foldl([X,_,B]>>(append(_,[X],M) -> B = X ; B = none), M, start, S).
        error_in(K,S) :- given(K,V), maplist([X,Y]>>(Y is X + V), [1,2], S).
        caught(E) :- given(open,V), catch(maplist([X,Y]>>(Y is X + V), [1], _), error(E,_), true).
        many(N,S) :- numlist(1,N,L), maplist([X,Y]>>(memberchk(X,L), Y = X), L, S0), length(S0,S).
    ";
    let goals = [
        "same_list(R,S)",
        "kept([1,2],[1,2,3],S)",
        "kept([1,_],[1,2,3],S)",
        "kept(R,[1],S)",
        "kept(R,R,S)",
        "kept([Z|T],[Z],S)",
        "dropped([1,2],[_],S)",
        "dropped([1,2,3],[2],S)",
        "from_other(S)",
        "later_bound(S,Y)",
        "later_bound(S,S)",
        "bound_before(S)",
        "partly_bound(S,B)",
        "from_answers(S)",
        "two_values(A,B,S)",
        "two_values(1,f(_),S)",
        "two_values(1,f(a),S)",
        "two_values(X,X,S)",
        "folded(F,S)",
        "folded(g(1),S)",
        "folded(S,S)",
        "in_negation([1,2],2)",
        "in_negation([1,2],3)",
        "in_negation([1,2],X)",
        "in_condition([1,2],3,R)",
        "in_condition([1,2],2,R)",
        "in_condition([1,2],X,R)",
        "in_disjunction([1,2],2,R)",
        "twice_nested(X,S)",
        "twice_nested(f(_),S)",
        "twice_nested(f(a),S)",
        "of_own([1,2],S)",
        "of_own([1,_],S)",
        "parameter_is_outer(X,S)",
        "parameter_is_outer(1,S)",
        "parameter_is_outer(2,S)",
        "parameter_is_outer(f(_),S)",
        "last_of([1,2],S)",
        "last_of([1,_],S)",
        "error_in(number,S)",
        "error_in(empty,S)",
        "error_in(open,S)",
        "caught(E)",
        "many(40,S)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Closures in variables, and calls that the compiler must not touch.
#[test]
fn closures_in_variables_have_the_same_runs() {
    let text = "
        stored(L,K,S) :- P = {K}/[X,Y]>>(Y is X*K), maplist(P,L,S).
        shared_by_outer(Ls,K,S) :- P = {K}/[X,Y]>>(Y is X+K), maplist({P}/[L,M]>>maplist(P,L,M), Ls, S).
        used_twice(L,S,T) :- P = [X,Y]>>(Y = f(X)), maplist(P,L,S), maplist(P,S,T).
        partial(L,S) :- G = add(2), maplist(G,L,S).
        add(A,B,C) :- C is A+B.
        conjunction(X,Y) :- G = (Y is X+1, Y > 1), call(G).
        as_goal(X,Y) :- G = member(Y,X), G.
        with_arguments(X,Y) :- G = nth1(X), call(G,[a,b,c],Y).
        with_cut(X) :- G = (member(X,[1,2,3]), !), ( G ; X = none ).
        cut_inside(X) :- Z = !, call((member(X,[1,2,3]), Z)).
        cut_as_goal(X) :- Z = !, member(X,[1,2,3]), Z.
        of_variables(X) :- Z = (A, B), A = true, B = (X = 1 ; X = 2), call(Z).
        bound_before(X,S) :- ( X = [A,B]>>(B = g(A)) ; true ), maplist(X,[1,2],S).
        bound_later(L,S) :- maplist(P,L,S), P = [X,X]>>true.
        in_branch(K,L,S) :- ( K = 1 -> P = [X,Y]>>(Y is -X), maplist(P,L,S) ; P = foo, S = P ).
        in_both(K,L,S) :- ( K = 1 -> P = [X,Y]>>(Y is -X) ; P = [X,Y]>>(Y = X) ), maplist(P,L,S).
        in_findall(L,S) :- findall(T, (member(X,L), P = {X}/[A,B]>>(B = X-A), maplist(P,L,T)), S).
        in_condition(L,R) :- ( P = [X]>>(X > 1), include(P,L,M), M = [_|_] -> R = M ; R = none ).
        in_negation(L) :- \\+ ( P = [X]>>(X < 9), maplist(P,L) ).
        also_data(L,S,P) :- P = [X,Y]>>(Y = X), maplist(P,L,S).
        also_compared(L,R) :- P = [X]>>(X > 1), include(P,L,M), ( P = ([Q]>>_), var(Q) -> R = M ; R = other ).
        chain(L,S) :- A = [X,Y]>>(Y is X+1), B = maplist(A), maplist(B,L,S).
        throwing(E) :- P = [X]>>(X > a), catch(maplist(P,[1]), error(E,_), true).
        unknown_goal(X) :- G = no_such_goal(X), call(G).
        number_as_goal :- G = 1, call(G).
        recursive(N,L) :- G = recursive_(N), call(G,L).
        recursive_(0,[]) :- !.
        recursive_(N,[N|L]) :- M is N-1, G = recursive_(M), call(G,L).
        aggregated(L,N) :- G = (member(X,L), X > 1), aggregate_all(count, G, N).
        all_of(L) :- C = member(X,L), A = (X > 0), forall(C,A).
        open_set(S) :- G = member(X-Y,[1-a,2-b,1-c]), findall(Y-T, bagof(X,G,T), S).
    ";
    let goals = [
        "stored([1,2],3,S)",
        "stored([1,2],K,S)",
        "stored(L,3,[3])",
        "shared_by_outer([[1],[2,3]],1,S)",
        "used_twice([1,2],S,T)",
        "used_twice([1|_],[f(1),f(2)],T)",
        "partial([1,2],S)",
        "conjunction(1,Y)",
        "conjunction(0,Y)",
        "as_goal([1,2],Y)",
        "with_arguments(2,Y)",
        "with_arguments(X,Y)",
        "with_cut(X)",
        "cut_inside(X)",
        "cut_as_goal(X)",
        "of_variables(X)",
        "bound_before(X,S)",
        "bound_before(foo,S)",
        "bound_later([1,2],S)",
        "in_branch(1,[1,2],S)",
        "in_branch(2,[1,2],S)",
        "in_both(1,[1,2],S)",
        "in_both(2,[1,2],S)",
        "in_findall([1,2],S)",
        "in_condition([1,2],R)",
        "in_condition([1],R)",
        "in_negation([1,2])",
        "in_negation([1,20])",
        "also_data([1,2],S,P)",
        "also_data([1,2],S,[A,A]>>true)",
        "also_compared([1,2],R)",
        "chain([[1],[2,3]],S)",
        "throwing(E)",
        "unknown_goal(1)",
        "number_as_goal",
        "recursive(3,L)",
        "aggregated([1,2,3],N)",
        "all_of([1,2])",
        "all_of([1,0])",
        "open_set(S)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Predicates that do more with a closure than call it, and closures that share variables with other arguments.
#[test]
fn closures_that_are_also_data_have_the_same_runs() {
    let text = "
        eq(A,A).
        inst([X|_]>>_, X).
        taken_apart(Z-W) :- P = [X,Y]>>(Y = g(X)), inst(P,5), call(P,Z,W).
        taken_apart_here(Z) :- P = [X]>>(eq(X,Z)), P = ([5|_]>>_), call(P,Z).
        in_a_list(Z) :- P = [X]>>eq(X,Z), member(P,[[5]>>_]), call(P,Z).
        by_univ(A) :- P = [X]>>eq(X,1), P =.. [_,[A]|_], A = 2, call(P,1).
        renamed_first(L) :- P = [X,Y]>>eq(X,Y), Q = P, inst(Q,5), maplist(P,[1,5],L).
        hold(P,X,Q) :- call(P,X), Q = P.
        returned(R) :- K = [_]>>true, hold(K,1,S), ( S == K -> R = same ; R = differ ).
        tw(P,X,Y) :- call(P,X), call(P,Y).
        own_variable(S) :- tw([X]>>(X = f(Y)), Y, S).
        comp(P,X) :- X = 1, call(P,2).
        with_argument :- comp([Y]>>eq(X,Y), X).
        two(P,Q) :- call(P,1), call(Q,2).
        one_shares :- two({X}/[Y]>>eq(X,Y), [Y]>>eq(X,Y)).
        one_is_partial :- two(eq(X), [Y]>>eq(X,Y)).
        opens(P) :- P = ([X]>>_), X = 1, call(P,2).
        opened :- opens([_]>>true).
        passes_on(P) :- opens(P).
        passed_on :- passes_on([_]>>true).
        each([],_).
        each([X|Xs],P) :- call(P,X), each(Xs,P).
        only_called(L) :- each([X]>>(X > 0), L).
        only_called(L) :- each(L, [X]>>(X > 0)).
        shared_in_own(L) :- each(L, {X}/[Y]>>(X = Y)).
        through_forall(P,L) :- forall(member(X,L), call(P,X)).
        called_in_forall(L) :- through_forall([X]>>(X > 1), L).
        through_lambda(P,L,M) :- maplist({P}/[X,Y]>>call(P,X,Y), L, M).
        called_in_lambda(L,M) :- through_lambda([X,Y]>>(Y is X+1), L, M).
        of_library(L) :- maplist([X,Z]>>(Z = 1, ( X =:= 2 -> nonvar(Y) ; true )), L, [Y,_]).
        folded_with_own(R) :- foldl([X,A,B]>>(B = [X-R|A]), [1,2], [], R).
        in_findall(S) :- findall(X, two([X]>>true, [Y]>>eq(X,Y)), S).
        mixed(P,X) :- ( var(X) -> X = 1 ; true ), call(P,X).
        deep(C,S) :- exclude([_]>>(X = f(_)), [q(q(q(q(q(q(C))))))|X], S0), ( S = S0 ; S = X ).
        deep_tail(C,L) :- findall(S, limit(3, exclude([_]>>(X = f(_)), [q(q(q(q(q(q(q(C)))))))|X], S)), L).
        in_condition(Y) :- ( mixed([A]>>eq(A,B), B) -> Y = B ; Y = none ).
    ";
    let goals = [
        "taken_apart(R)",
        "taken_apart_here(Z)",
        "in_a_list(Z)",
        "by_univ(A)",
        "renamed_first(L)",
        "returned(R)",
        "own_variable(S)",
        "with_argument",
        "one_shares",
        "one_is_partial",
        "opened",
        "passed_on",
        "only_called([1,2])",
        "only_called([1,0])",
        "shared_in_own([1,1])",
        "shared_in_own([1,2])",
        "called_in_forall([2,3])",
        "called_in_forall([1,2])",
        "called_in_lambda([1,2],M)",
        "of_library([1,2])",
        "folded_with_own(R)",
        "in_findall(S)",
        "deep_tail([],L)",
        "deep_tail(C,L)",
        "limit(5, deep([],S))",
        "in_condition(Y)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}

/// Large values of the clause in lambda expressions: the copy of a lambda costs no steps, and neither does the comparison
/// of the shared values with their copies.
#[test]
fn large_shared_values_have_the_same_runs() {
    let text = "
        with_list(L, R) :- maplist({L}/[X, Y]>>(Y = [X|L]), [7, 8], R).
        with_term(T, R) :- maplist({f(T, g(a, 4))}/[X, Y]>>(Y = [X|f(T, g(a, 4))]), [3, 47, 181], R).
        nested(N, R) :- numlist(1, N, L), foldl({L}/[X, A, B]>>(length(L, K), B is A + X * K), [1, 2, 3], 0, R).
    ";
    let goals = [
        "numlist(1, 300, L), with_list(L, R)",
        "numlist(1, 30, L), with_list(L, R)",
        "numlist(1, 200, L), with_term(h(L, L), R)",
        "nested(100, R)",
        "nested(10, R)",
    ];
    assert_eq!(assert_same_runs(text, &goals), goals.len());
}
