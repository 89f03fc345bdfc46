% gives: A0508, A0508
initial(0).
max_to_move(0).
move(0, go, 1).
terminal(1, _).
static_eval(_, 0).
acyclic(yes).
