% gives: A0311
% The count of moves is a sum in a record that nobody computes; play goes on all the same.
initial([turn=max, count=0]).
max_to_move([turn=max, count=_]).
move([turn=P, count=N], go, [turn=Q, count=N+1]) :-
    4 > N,
    other(P, Q).
no_moves(loss).
static_eval(_, 0).
acyclic.
other(max, min).
other(min, max).
