% gives: A0507, A0507
:- use_module(library(alphorn)).
:- expect(moves(0) > 1).
:- expect(length(moves(0)) = 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
