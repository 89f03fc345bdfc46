% gives: A0507, A0507, A0507, A0507
:- use_module(library(alphorn)).
:- expect(value == 3).
:- expect(holds(initial(P), max_to_move(P))).
:- expect(max_to_move(left(3))).
:- expect(outcome(left(0)) = draw).
initial(left(4)).
max_to_move(left(_)).
move(left(N), take(K), left(M)) :- between(1, 2, K), K =< N, M is N - K.
terminal(left(0)).
outcome(left(0), draw).
