% gives: A0309
% The side is max or min, and is compared with something else.
initial(p(max, 3)).
max_to_move(p(max, _)).
min_to_move(p(min, _)).
move(p(S, N), take, p(T, M)) :- N > 0, M is N - 1, ( S == mx -> T = min ; T = max ).
static_eval(p(_, N), N).
no_moves(loss).
