% gives: A0304
terminal(N) :- N > 0.
double(X, Y) :- Y is 2 * X.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
