% gives: A0311
% The reported case: positions have four arguments, one clause has three.
initial(ut(x, [e,e,e], any, 0)).
max_to_move(ut(x, _, _, _)).
move(ut(P, B, _, N), I, ut(Q, C, I, M)) :- other(P, Q), select(e, B, P, C), nth1(I, C, P), M is N + 1.
terminal(ut(_, _, _, 3)).
static_eval(ut(x, _, _), 1).
static_eval(ut(o, _, _, _), -1).
static_eval(ut(_, _, _, 3), 0).
acyclic.
other(x, o).
other(o, x).
