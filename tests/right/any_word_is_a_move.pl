% right: a move is shown as its only word, so shown_move/3 reads any word as a move.
initial(p(max, 3)).
max_to_move(p(max, _)).
move(p(S, N), go(W), p(T, M)) :-
    step(W, K),
    N >= K,
    M is N - K,
    other(S, T).
step(walk, 1).
step(jump, 2).
no_moves(loss).
static_eval(p(_, N), N).
shown_move(_, go(W), W).
other(max, min).
other(min, max).
