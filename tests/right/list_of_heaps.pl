% list of heaps
initial([3,4]).
max_to_move(_).
moves(P, [Q|Qs]) :- findall(R, step(P, R), [Q|Qs]).
step([A,B],[C,B]) :- A > 0, C is A-1.
static_eval(_, 0).
canonical(P, [A,B]) :- msort(P, [A,B]).
