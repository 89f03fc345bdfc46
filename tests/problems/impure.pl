% gives: A0203, A0203, A0203, A0203
terminal(N) :- assert(seen(N)).
outcome(N, draw) :- nb_setval(best, N).
show(N, [N]) :- setarg(1, f(N), 2).
pass(N, M) :- read(M), N > 0.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
