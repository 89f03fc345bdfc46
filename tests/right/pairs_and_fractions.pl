% coordinates as X-Y and X/Y pairs, tested with = and ==
move(X-Y, X1-Y) :- X1 is X+1.
goal(P) :- P = 3-3.
goal2(P) :- P == 3-3.
path(P, [P]) :- goal(P), !.
path(P, [P|R]) :- move(P, Q), path(Q, R).
frac(F) :- F = 1/2.
key(K) :- K = row-3, member(K, [row-3, col-2]).
