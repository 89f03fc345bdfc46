% recursion whose base is in a disjunction or if-then-else
count(N, L) :- ( N =:= 0 -> L = [] ; M is N - 1, L = [N|R], count(M, R) ).
down(N) :- N =< 0 ; M is N - 1, down(M).
walk(T) :- T = leaf ; T = node(L, R), walk(L), walk(R).
upto(N, N, [N]) :- !.
upto(I, N, [I|R]) :- J is I+1, upto(J, N, R).
len(L, N) :- L = [], N = 0 ; L = [_|T], len(T, M), N is M + 1.
e(N) :- \+ N > 0.
sumall([H|T], S) :- ( T == [] -> S = H ; sumall(T, S0), S is S0 + H ).
neg(N) :- \+ ( N > 0, M is N - 1, neg(M) ).
all([X|Xs]) :- forall(member(Y, [X|Xs]), Y > 0).
win(P) :- m(P, Q), \+ win(Q).
m(1, 0). m(2, 0). m(2, 1).
