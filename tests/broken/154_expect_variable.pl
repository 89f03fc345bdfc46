% An expectation about a position with a variable.
% code: A0507
% at: 8:17 8:27
% help: replace N
% mend 8: |:- expect(value(left(max, 9)) = win(max)).
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value(left(max, N)) = win(max)).

initial(left(max, N)) :- param(matches, N).

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
