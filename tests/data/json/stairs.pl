% A place that cannot be specialised.
initial(7-max).
max_to_move(_-max).
moves(N-Who, L) :-
    Turn = Who-Next,
    turn(Turn),
    findall(M-Next, ( between(1, 2, K), M is N - K, M >= 0 ), L).
terminal(0-_).
turn(max-min).
turn(min-max).
static_eval(_, 0).
