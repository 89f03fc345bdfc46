% gives: A0402
terminal(N) :- reach(0, N).
reach(X, Z) :- reach(X, Y), step(Y, Z).
reach(X, Y) :- step(X, Y).
step(0, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
