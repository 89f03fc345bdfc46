% gives: A0312
% A goal that must fail has a label that has too few arguments: it would fail whatever the rules say.
:- expect(fails(move(p(max, 1), take(2), _))).
initial(p(max, 3)).
max_to_move(p(max, _)).
move(p(S, N), take(K, S), p(T, M)) :- between(1, 2, K), K =< N, M is N - K, other(S, T).
static_eval(p(_, N), N).
no_moves(loss).
other(max, min).
other(min, max).
