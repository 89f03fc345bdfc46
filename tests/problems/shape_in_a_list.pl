% gives: A0311
% A list of moves is made in the body, and no predicate takes what is in it.
initial(heap(max, 6, [])).
max_to_move(heap(max, _, _)).
static_eval(heap(_, N, _), N).
terminal(heap(_, 0, _)).
moves(heap(S, N, H), L) :-
    findall(heap(T, M), ( other(S, T), between(1, 2, K), K =< N, M is N - K, H = [] ), L).
other(max, min).
other(min, max).
outcome(heap(max, 0, _), win(min)).
outcome(heap(min, 0, _), win(max)).
