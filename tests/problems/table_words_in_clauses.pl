% gives: A0101, A0108, A0201, A0201, A0201
:- use_module(library(alphorn)).
initial(left(max, 21)).
max_to_move(left(max, _)).
move(left(max, N), take(K), left(min, M)) :- between(1, 3, K), K =< N, M is N - K.
move(left(min, N), take(K), left(max, M)) :- between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(max, 0), win(min)).
outcome(left(min, 0), win(max)).

always : if true then [wait].
good :- if few then [wait].
few(P) :- matches(P, N) and N < 4.
few(P) :- few(P, 1) or few(P, 2).
few(left(_, N), M) :- N <= M.
matches(left(_, N), N).
