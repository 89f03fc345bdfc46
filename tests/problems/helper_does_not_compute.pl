% gives: A0311
% One clause of a helper gives a sum where the others give a number.
initial(p(max, 1)).
max_to_move(p(max, _)).
move(p(S, X), W, p(T, Y)) :- step(W, X, Y), Y =\= 7, Y =\= 0, other(S, T).
static_eval(p(_, X), X).
no_moves(eval).
terminal(p(_, X)) :- X >= 6.
step(up, X, Y) :- Y = X + 1.
step(far, X, Y) :- Y is X + 2.
other(max, min).
other(min, max).
