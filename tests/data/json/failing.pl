% An expectation that holds, and one that does not.
:- use_module(library(alphorn)).
:- expect(perft(1) = 2).
:- expect(value = draw).
initial(a).
moves(a, [b, c]).
max_to_move(a).
outcome(b, win(min)).
outcome(c, win(max)).
