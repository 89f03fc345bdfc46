% puzzle: send more
digits([0,1,2,3,4,5,6,7,8,9]).
solve(X,Y) :- digits(D), select(X,D,R), member(Y,R), X*Y =:= 42, X < Y.
half(X, Y) :- Y = X/2.
eval(A+B, V) :- eval(A,VA), eval(B,VB), V is VA+VB.
eval(A*B, V) :- eval(A,VA), eval(B,VB), V is VA*VB.
eval(N, N) :- number(N).
test(V) :- E = 1+2*3, eval(E, V).
