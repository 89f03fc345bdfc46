% gives: A0507, A0507, A0507, A0507
:- use_module(library(alphorn)).
:- expect(perft(1, left(4)) = 2).
:- expect(perft = 2).
:- expect(best(left(4)) = take(1)).
:- expect(value(left(4)) = max).
initial(left(4)).
max_to_move(left(_)).
move(left(N), take(K), left(M)) :- between(1, 2, K), K =< N, M is N - K.
terminal(left(0)).
outcome(left(0), draw).
