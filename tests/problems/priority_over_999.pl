% gives: A0108, A0108
show(_, [a :- b]).
terminal(N) :- call(N --> b).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
