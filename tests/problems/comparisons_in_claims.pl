% gives: A0507, A0507, A0507
% A claim states one value. The help keeps the direction of the comparison.
:- use_module(library(alphorn)).
:- expect(value(0) > 0).
:- expect(3 >= value(0, 2)).
:- expect(\+ value(0) = draw).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
