% difference lists and A-B pairs
app(A-B, B-C, A-C).
empty(L) :- L = X-X.
isempty(X-Y) :- X == Y.
rev(L, R) :- rev(L, R, []).
rev([], R, R).
rev([H|T], R, A) :- rev(T, R, [H|A]).
t(R) :- app([a,b|X]-X, [c|Y]-Y, R-[]).
p(X) :- X \= 1-2.
q(X) :- X \== a/1.
