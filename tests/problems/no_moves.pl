% gives: A0502
initial(0).
max_to_move(0).
static_eval(N, N).
