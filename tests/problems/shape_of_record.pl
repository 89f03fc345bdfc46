% gives: A0311, A0311, A0312, A0606, A0606
% Positions are lists of parts; a part, a length, a label and two answers are wrong.
initial([turn(red), heap(4)]).
max_to_move([turn(red)|_]).
min_to_move([turn(blue)|_]).
move([turn(S), heap(N)], take(K), [turn(T), heap(M)]) :- between(1, 2, K), K =< N, M is N - K, other(S, T).
other(red, blue).
other(blue, red).
terminal([_, heap(0)]).
outcome([turn(red), _], win(blue)).
outcome([turn(blue), _], win(max)).
static_eval([turn(_), N], N) :- integer(N).
quiet([turn(_), pile(_)]).
noisy([heap(_), turn(_), x], take(_)).
prefer(_, takes(_), 1).
prefer(_, take(2), high).
