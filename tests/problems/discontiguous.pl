% gives: A0302
terminal(1).
acyclic.
terminal(2).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
