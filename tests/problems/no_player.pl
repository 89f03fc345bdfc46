% gives: A0503
initial(0).
move(0, go, 1).
static_eval(N, N).
