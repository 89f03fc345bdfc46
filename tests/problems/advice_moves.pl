% gives: A0703, A0701
:- use_module(library(alphorn)).
initial(pos(max, 0)).
moves(pos(max, N), [pos(min, M)]) :- N < 3, M is N + 1.
moves(pos(min, N), [pos(max, N)]).
max_to_move(pos(max, _)).
static_eval(pos(_, N), N).

start :: if true then [step, wait].
advice(step, [better(counter > root(counter)), us([at(2, legal), at(1, legal) and depth > 0])]).
advice(wait, [better(counter > 1), our(legal)]).
counter(pos(_, N), N).
