% gives: A0210, A0210, A0210
:- use_module(library(alphorn)).
:- param(size, 12, 4..10, "board side").
:- param(3, 4, 4..10, "board side").
:- param(rule, old, old, "which rule").
terminal(N) :- param(size, N).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
