% gives: A0106, A0201, A0102
terminal(N) :- member(N, [1, 2).
outcome(N, R) :- membr(N-R, [1-draw]).
show(_, ['board]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
