% gives: A0501
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
