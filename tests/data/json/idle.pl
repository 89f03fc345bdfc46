% Matches, with advice that fails, and some that holds already.
:- use_module(library(alphorn)).
initial(left(max, 5)).
max_to_move(left(max, _)).
move(left(Player, N), take(K), left(Other, M)) :-
    other(Player, Other), between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(Player, 0), win(Winner)) :- other(Player, Winner).
acyclic.
other(max, min).
other(min, max).

bad :: if multiple then [vanish].
other :: if true then [vanish, stand].
advice(vanish, [better(gone), holding(some), us(at(0, legal)), them([legal])]).
advice(stand, [better(some), us(at(0, legal)), them([])]).
multiple(left(_, N)) :- N mod 4 =:= 0.
gone(left(_, N)) :- N < 0.
some(left(_, N)) :- N > 0.
