% The next position has a variable in it.
% code: A0605
% at: 16:1 16:37 17:19
% help: a variable that a goal binds
% run: --playouts 50
% mend 16: |move(left(Player, N), take(K), left(Other, M)) :-
% mend 17: |    other(Player, Other),
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, N)) :- param(matches, N).

max_to_move(left(max, _)).

move(left(Player, N), take(K), left(_, M)) :-
    other(Player, _),
    between(1, 3, K),
    K =< N,
    M is N - K.

terminal(left(_, 0)).

outcome(left(Player, 0), win(Winner)) :-
    other(Player, Winner).

acyclic.

other(max, min).
other(min, max).
