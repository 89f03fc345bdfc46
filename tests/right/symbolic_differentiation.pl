% symbolic differentiation
d(X, X, 1) :- !.
d(C, _, 0) :- atomic(C).
d(U+V, X, DU+DV) :- d(U,X,DU), d(V,X,DV).
d(U*V, X, DU*V+U*DV) :- d(U,X,DU), d(V,X,DV).
simp(E, S) :- E = A+0, simp(A, S).
simp(0+A, S) :- simp(A, S).
simp(A, A).
main(R) :- d(x*x+1, x, D), simp(D, R).
