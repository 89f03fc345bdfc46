% dates, ratios and names
time(12:30).
later(T) :- time(T), T == 12:30.
ratio(R) :- R = 3/4.
ver(V) :- V == 1-0.
score(S) :- S = 3:2.
move_name(M) :- M = 'e2'-'e4'.
cell(C) :- C = a*1.
pos_sum(P) :- P = 1 + 1.
neg(X, Y) :- Y = -X.
neg_ok(X) :- X = -(1).
at(X, Y, P) :- P = X * Y.
colon(A, B) :- B = A / 2, integer(A).
