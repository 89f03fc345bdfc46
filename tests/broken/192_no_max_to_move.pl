% Nobody says who moves.
% code: A0503
% at: 12:1 14:1
% help: max_to_move(
% mend 12: |initial(left(max, N)) :- param(matches, N).
% mend 12: |
% mend 12: |max_to_move(left(max, _)).
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, N)) :- param(matches, N).

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
