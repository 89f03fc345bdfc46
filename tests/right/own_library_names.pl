% Predicates that other systems have in their libraries, defined by the program itself
:- use_module(library(lists)).
:- use_module(library(assoc)).
initial(p(3, max)).
max_to_move(p(_, max)).
move(p(N, S), take(K), p(M, T)) :- member(K, [1, 2]), K =< N, M is N - K, other(S, T).
other(max, min).
other(min, max).
terminal(p(0, _)).
outcome(p(0, S), win(T)) :- other(S, T), limit(S, 1), name(T, _), prefix(S, _), uses_library(_), denied(_), subset(_, own), among(_).
acyclic.
subset(mine, own).
among(X) :- member(X, [a, own]), lists:subset([X], [a]).
prefix(_, _).
limit(_, 1).
name(max, a).
name(min, b).
string_concat(A, B, A-B).
not(_) :- fail.
not(own_not).
denied(X) :- not(X).
uses_library(Pairs) :-
    list_to_assoc([a-2, b-1], Assoc),
    string_concat(x, y, _),
    assoc_to_list(Assoc, List),
    findall(V-K, member(K-V, List), Pairs).
