% An expectation that holds, one that does not, one that cannot be tested.
:- use_module(library(alphorn)).
:- expect(perft(1) = 2).
:- expect(value = draw).
:- expect(holds(X is 1 / 0)).
initial(a).
moves(a, [b, c]).
max_to_move(a).
outcome(b, win(min)).
outcome(c, win(max)).
