% A sum handed on without being computed.
% code: A0607
% at: 16:1 16:44
% help: is
% run: --playouts 50
% mend 16: |move(left(Player, N), take(K), left(Other, M)) :-
% mend 19: |    K =< N, M is N - K.
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, N)) :- param(matches, N).

max_to_move(left(max, _)).

move(left(Player, N), take(K), left(Other, N - K)) :-
    other(Player, Other),
    between(1, 3, K),
    K =< N.



terminal(left(_, 0)).

outcome(left(Player, 0), win(Winner)) :-
    other(Player, Winner).

acyclic.

other(max, min).
other(min, max).
