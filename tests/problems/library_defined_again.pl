% gives: A0305
terminal(N) :- last([0, 1], N).
last([X], X).
last([_|Xs], X) :- last(Xs, X).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
