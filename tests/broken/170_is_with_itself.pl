% A variable is given a new value, as in other languages.
% code: A0307
% at: 21:5 21:7 21:10
% help: new variable
% help: another variable
% help: N1
% run: --playouts 50
% mend 21: |    N1 is N - K, M = N1.
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, N)) :- param(matches, N).

max_to_move(left(max, _)).

move(left(Player, N), take(K), left(Other, M)) :-
    other(Player, Other),
    between(1, 3, K),
    K =< N,
    N is N - K, M = N.

terminal(left(_, 0)).

outcome(left(Player, 0), win(Winner)) :-
    other(Player, Winner).

acyclic.

other(max, min).
other(min, max).
