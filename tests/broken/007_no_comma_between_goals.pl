% A comma at the end of a line is forgotten.
% code: A0101
% at: 16:20 16:21 17:5
% help: `,`
% mend 16: |    between(1, 3, K),
:- use_module(library(alphorn)).
:- param(matches, 9, 1..30, "how many matches there are").
:- expect(value = win(max)).

initial(left(max, N)) :- param(matches, N).

max_to_move(left(max, _)).

move(left(Player, N), take(K), left(Other, M)) :-
    other(Player, Other),
    between(1, 3, K)
    K =< N,
    M is N - K.

terminal(left(_, 0)).

outcome(left(Player, 0), win(Winner)) :-
    other(Player, Winner).

acyclic.

other(max, min).
other(min, max).
