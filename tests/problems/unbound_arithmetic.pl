% gives: A0401
terminal(N) :- X is Y0 + N, X > Y0.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
