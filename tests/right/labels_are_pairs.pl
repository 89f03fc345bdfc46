% labels are pairs
initial(3-4).
max_to_move(_).
move(P, A-B, Q) :- P = X-Y, A = 1, B = 0, C is X-1, Q = C-Y, C >= 0.
static_eval(_, 0).
pass(P, A-B) :- P = B-A.
chance(P, [1-Q, 2-R]) :- P = 9-9, Q = 1-1, R = 2-2.
