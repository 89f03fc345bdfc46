% gives: A0203, A0203, A0203
symmetry(N, N) :- retract(seen(N)).
canonical(N, M) :- random_between(0, N, M).
null_ok(N) :- value(N, 3, _).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
