% gives: A0402
terminal(N) :- once(count(N)).
count(0).
count(N) :- count(M), N is M + 1.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
