% gives: A0311
% One element of the opening has another name than all others.
initial(p(max, [heap(a, 2), heap(b, 1), pile(c, 3)])).
max_to_move(p(max, _)).
move(p(S, L), K, p(T, [heap(K, J)|R])) :- select(heap(K, N), L, R), N > 0, J is N - 1, other(S, T).
outcome(p(max, _), win(min)).
outcome(p(min, _), win(max)).
other(max, min).
other(min, max).
