% gives: A0201, A0702, A0702
:- use_module(library(alphorn)).
initial(pos(max, 0)).
moves(pos(max, N), [pos(min, M)]) :- N < 3, M is N + 1.
moves(pos(min, N), [pos(max, N)]).
max_to_move(pos(max, _)).
static_eval(pos(_, N), N).

start :: if near_end then [step, jumpp].
advice(step, [better(counter > root(counter)), us([at(0, forwards)])]).
advice(jump(N), [better(far(N) and not stopped), us(before(N, legal)), them(legal)]).
counter(pos(_, N), N).
far(Least, pos(_, N)) :- N >= Least.
stopped(pos(max, 3)).
near_the_end(pos(_, 2)).
move_class(forward, pos(max, _), _, _).
