% gives: A0313
% The table of what a fruit is worth has a fruit that no tree bears.
initial(p(max, [apple-3, plum-2])).
max_to_move(p(max, _)).
move(p(S, L), pick(K), p(T, M)) :- select(K-N, L, R), N > 0, J is N - 1, other(S, T), M = [K-J|R].
show(p(_, L), [S]) :- findall(K-N-F, ( member(K-N, L), shape(K, F) ), S).
static_eval(p(_, L), V) :- findall(W, ( member(K-N, L), worth(K, P), W is P * N ), Ws), sum_list(Ws, V).
worth(apple, 1).
worth(plumb, 2).
shape(plum, round).
other(max, min).
other(min, max).
