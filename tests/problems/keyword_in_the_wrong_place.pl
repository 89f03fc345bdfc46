% gives: A0109, A0109
terminal(N) :- N > 0, N is .
outcome(N, R) :- N = * 3, R = draw.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
