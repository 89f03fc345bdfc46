% A label with a variable in it.
% code: A0605
% at: 15:1 15:23 15:28
% help: a variable that a goal binds
% run: --playouts 50
% mend 15: |move(left(Player, N), take(K), left(Other, M)) :-
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, N)) :- param(matches, N).

max_to_move(left(max, _)).

move(left(Player, N), take(_), left(Other, M)) :-
    other(Player, Other),
    between(1, 3, K),
    K =< N,
    M is N - K.

terminal(left(_, 0)).

outcome(left(Player, 0), win(Winner)) :-
    other(Player, Winner).

acyclic.

other(max, min).
other(min, max).
