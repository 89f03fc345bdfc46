% gives: A0304
% Regression test: the expectations were marked, and the help gave them the misspelt name.
:- use_module(library(alphorn)).
:- expect(holds(terminal(0))).
:- expect(fails(terminal(2))).
initial(2).
max_to_move(_).
move(N, take, M) :- N > 0, M is N - 1.
terminl(0).
static_eval(N, N).
