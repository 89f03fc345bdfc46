% positions passed on wholesale
initial(p(0)).
max_to_move(_).
moves(P, [p(N)]) :- next(P, N).
moves(_, []).
next(p(M), N) :- M < 3, N is M + 1.
static_eval(_, 0).
canonical(P, P).
