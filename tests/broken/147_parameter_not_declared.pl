% A parameter that is not declared.
% code: A0201
% at: 17:5 17:11
% help: :- param(
% mend 8: |:- param(matches, 9, 1..30, "how many matches there are").
% mend 8: |:- param(most, 3, 1..9, "how many may be taken").
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, N)) :- param(matches, N).

max_to_move(left(max, _)).

move(left(Player, N), take(K), left(Other, M)) :-
    other(Player, Other),
    param(most, Most), between(1, Most, K),
    K =< N,
    M is N - K.

terminal(left(_, 0)).

outcome(left(Player, 0), win(Winner)) :-
    other(Player, Winner).

acyclic.

other(max, min).
other(min, max).
