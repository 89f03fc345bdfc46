% gives: A0210, A0201
:- table reach.
:- table reach/2.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
