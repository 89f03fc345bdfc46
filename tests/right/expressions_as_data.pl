% arithmetic over functions passed as data
op(+). op(-). op(*).
combine(A, B, E) :- op(O), E =.. [O, A, B].
target(T, E) :- combine(3, 4, E), T is E.
target2(T) :- E = 3 + 4, T =:= E.
compare3(X) :- X + 1 = 2 + 1.
same(A, B) :- A + B = B + A.
split(N, A, B) :- N = A + B.
split2(A-B, A, B).
pos(P) :- P = 1-1 ; P = 8-8.
inside(X-Y) :- between(1,8,X), between(1,8,Y).
start(P) :- inside(P), P == 1-1.
opp(P, Q) :- P = X-Y, Q = Y-X.
