% gives: A0506
:- use_module(library(alphorn)).
initial(left(max, 21)).
max_to_move(left(max, _)).
move(left(max, N), take(K), left(min, M)) :- between(1, 3, K), K =< N, M is N - K.
move(left(min, N), take(K), left(max, M)) :- between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(max, 0), win(min)).
outcome(left(min, 0), win(max)).

always :: if true then [wait].
advice(wait, [better(few), us(at(0, legal)), them([])]).
few(left(_, N)) :- N < 4.
advice_for(max).
advice_for(min).
