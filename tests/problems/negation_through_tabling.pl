% gives: A0403
:- table won/1.
terminal(N) :- won(N).
won(N) :- step(N, M), \+ won(M).
step(0, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
