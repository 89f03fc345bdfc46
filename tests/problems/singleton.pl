% gives: A0301
terminal(N) :- N > 0, Next = 1.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
