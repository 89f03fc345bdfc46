% gives: A0507, A0507
% Regression test: the help compared the term with the result, which is always another term; and it took the number of
% paths for a depth.
:- use_module(library(alphorn)).
:- expect(outcome(0) \= draw).
:- expect(perft(1, 1)).
initial(2).
max_to_move(_).
move(N, take, M) :- N > 0, M is N - 1.
terminal(0).
outcome(0, draw).
