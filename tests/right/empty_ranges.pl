% between with computed or empty ranges; constants
none(X) :- between(1, 0, X).
size(0).
cells(L) :- size(N), findall(X, between(1, N, X), L).
rng(L) :- findall(X, between(5, 4, X), L).
