% An end of the game without an outcome.
% code: A0606
% at: 23:1
% help: outcome(
% run: --playouts 50
% mend 23: |outcome(left(min, 0), win(max)). outcome(left(max, 0), win(min)).
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, N)) :- param(matches, N).

max_to_move(left(max, _)).

move(left(Player, N), take(K), left(Other, M)) :-
    other(Player, Other),
    between(1, 3, K),
    K =< N,
    M is N - K.

terminal(left(_, 0)).

outcome(left(min, 0), win(max)).


acyclic.

other(max, min).
other(min, max).
