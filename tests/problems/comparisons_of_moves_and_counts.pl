% gives: A0507, A0507, A0507
% A claim states one value. The help keeps the direction of the comparison.
:- use_module(library(alphorn)).
:- expect(best(0, 1) \= go).
:- expect(perft(1) < 4).
:- expect(value(P) =< -1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
