% gives: A0106
terminal(N) :-
    member(N, [1, 2),
    N > 0.
value_range(0, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
