% Capture by liberties on a 2x3 board, with tabled groups; mutual recursion of two tables.
:- use_module(library(alphorn)).
:- table chain/3.
:- table linked/3.
:- table free/2.
:- expect(value = win(min)).
:- expect(perft(2) = 30).

initial(s(max, [])).
max_to_move(s(max, _)).
point(X-Y) :- member(X, [1, 2, 3]), member(Y, [1, 2]).

next_to(X-Y, A-Y) :- ( A is X + 1 ; A is X - 1 ).
next_to(X-Y, X-B) :- ( B is Y + 1 ; B is Y - 1 ).

chain(S, P, P) :- member(stone(P, _), S).
chain(S, P, Q) :- linked(S, P, Q).
linked(S, P, Q) :- chain(S, P, R), member(stone(P, C), S), next_to(R, Q), member(stone(Q, C), S).

free(S, P) :- chain(S, P, Q), next_to(Q, E), point(E), \+ member(stone(E, _), S).

legal(S, Player, E) :-
    point(E), \+ member(stone(E, _), S),
    sort([stone(E, Player)|S], T),
    free(T, E).

move(s(Player, S), put(E), s(Other, T)) :-
    legal(S, Player, E),
    sort([stone(E, Player)|S], T),
    other(Player, Other).
other(max, min).
other(min, max).
acyclic.
terminal(s(Player, S)) :- \+ legal(S, Player, _).
outcome(s(Player, S), win(Other)) :- \+ legal(S, Player, _), other(Player, Other).
