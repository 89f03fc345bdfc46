% gives: A0701, A0701, A0701, A0701, A0702
:- use_module(library(alphorn)).
initial(left(max, 21)).
max_to_move(left(max, _)).
move(left(max, N), take(K), left(min, M)) :- between(1, 3, K), K =< N, M is N - K.
move(left(min, N), take(K), left(max, M)) :- between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(max, 0), win(min)).
outcome(left(min, 0), win(max)).

good :: if not multiple then leave_four.
other :: if multiple then [swapped, unplaced, joined, leave(2)].
advice(leave_four, [better(multiple, small)]).
advice(swapped, [better(multiple), us(at(first, legal))]).
advice(unplaced, [better(multiple), us(at(0, 1))]).
advice(joined, [better(multiple and small)]).
advice(leave(1), [better(multiple)]).
multiple(left(_, N)) :- N mod 4 =:= 0.
small(left(_, N)) :- N < 4.
