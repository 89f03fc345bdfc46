% gives: A0313
% The second clause makes labels with another name: no rule and no person looks for it.
initial(pos(max, 5)).
max_to_move(pos(max, _)).
move(pos(max, N), play(K), pos(min, M)) :- member(K, [1, 2]), K =< N, M is N - K.
move(pos(min, N), plays(K), pos(max, M)) :- member(K, [1, 2]), K =< N, M is N - K.
no_moves(loss).
prefer(_, play(K), K) :- K > 1.
prefer(_, _, 0).
