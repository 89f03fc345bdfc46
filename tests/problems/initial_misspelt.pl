% gives: A0304, A0501
intial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
