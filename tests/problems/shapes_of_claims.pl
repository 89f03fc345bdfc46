% gives: A0311, A0311, A0311
:- use_module(library(alphorn)).
:- expect(value(right(4)) = draw).
:- expect(holds(terminal(left(4, 0)))).
:- expect(fails(terminal(left(0, 4)))).
:- expect(fails(move(left(4), jump, _))).
initial(left(4)).
max_to_move(left(_)).
move(left(N), take(K), left(M)) :- between(1, 2, K), K =< N, M is N - K.
terminal(left(0)).
outcome(left(0), draw).
