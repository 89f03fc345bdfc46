% gives: A0201
terminal(N) :- somebody_won(N).
somebody_one(1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
