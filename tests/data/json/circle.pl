% A game that need not end.
initial(0).
max_to_move(0).
move(N, step, M) :- M is 1 - N.
static_eval(_, 0).
