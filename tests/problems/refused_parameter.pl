% gives: A0210
% Its uses were called undefined as well.
:- use_module(library(alphorn)).
:- param(size, 3, 2..4).
initial(0).
max_to_move(_).
move(N, add, M) :- param(size, Size), N < Size, M is N + 1.
static_eval(N, N).
