% gives: A0210
% Its predicate was called undefined as well.
:- dynamic blocked/a.
initial(0).
max_to_move(_).
move(N, add, M) :- \+ blocked(N), N < 3, M is N + 1.
static_eval(N, N).
