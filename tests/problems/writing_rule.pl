% gives: A0212
terminal(N) :- report(N), N > 0.
report(N) :- write(N).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
