% operators as data
:- op(700, xfx, =>).
rule(a => b).
rule(b => c).
infer(X, Y) :- rule(X => Y).
infer(X, Z) :- rule(X => Y), infer(Y, Z).
eq(X, Y) :- X = Y + 1.
wrap(N, K) :- K = n - N.
show(N, T) :- T = N * 2.
