% gives: A0312, A0312, A0313, A0312
% Goals that must fail have labels with too few arguments, a misspelt atom and exchanged arguments:
% they would fail whatever the rules say. A label with a name of its own may be meant.
:- expect(fails(move(p(max, 1), take(2), _))).
initial(p(max, 3)).
max_to_move(p(max, _)).
move(p(S, N), take(K, S), p(T, M)) :- between(1, 2, K), K =< N, M is N - K, other(S, T).
static_eval(p(_, N), N).
no_moves(loss).
other(max, min).
other(min, max).
:- expect(fails(move(p(max, 1), take(1, mmin), _))).
:- expect(fails(move(p(max, 1), take(max, 1), _))).
:- expect(fails(move(p(max, 1), pass, _))).
