% gives: A0309
% The helper that maplist/3 calls gives lists, and a goal looks for pairs among them.
initial(p(max, L)) :- maplist([N, [N, 0]]>>true, [1, 2, 3], L).
max_to_move(p(max, _)).
move(p(S, L), K, p(T, R)) :- select(K-_, L, R), other(S, T).
static_eval(p(_, L), V) :- length(L, V).
no_moves(eval).
other(max, min).
other(min, max).
