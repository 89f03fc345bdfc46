% gives: A0202
terminal(N) :- wins(N).
wins(1, max).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
