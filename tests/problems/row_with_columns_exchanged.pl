% gives: A0309
% One region of the map has its neighbours and its worth exchanged.
initial(p(max, [ash, bay, cove])).
max_to_move(p(max, _)).
move(p(S, L), take(R), p(T, M)) :- select(R, L, M), region(R, W, _), W > 0, other(S, T).
static_eval(p(_, L), V) :- length(L, V).
no_moves(eval).
region(ash, 2, [bay]).
region(bay, 1, [ash, cove]).
region(cove, [bay], 2).
region(dell, 1, []).
other(max, min).
other(min, max).
