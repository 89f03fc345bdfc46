% The initial position has a variable in it.
% code: A0605
% at: 12:1 12:9 12:19
% help: a goal that binds it
% help: a value
% run: --playouts 50
% mend 12: |initial(left(max, N)) :- param(matches, N).
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, _)).

max_to_move(left(max, _)).

move(left(Player, N), take(K), left(Other, M)) :-
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
