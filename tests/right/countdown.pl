% numbers game (countdown): builds expressions
combine(A, B, E) :- E = A + B.
combine(A, B, E) :- A > B, E = A - B.
combine(A, B, E) :- E = A * B.
combine(A, B, E) :- B =\= 0, 0 =:= A mod B, E = A / B.
use(X, Y, V) :- combine(X, Y, E), V is E.
area(W, H, A) :- E = W * H, A is E.
deriv(F, G) :- F = X ** N, G = N * X.
sq(X, Y) :- X == Y * Y.
eqn(L = R) :- L =:= R.
poly(P) :- P = x + 1.
poly2(P) :- P = 2 * x + 1.
bind(T) :- T = a + B, B = 2.
