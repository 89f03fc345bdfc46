% recursion that is finite through unification or tables
:- table path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b). edge(b, a).
:- table fib/2.
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.
fib(0, 0). fib(1, 1).
:- table reach/1.
reach(X) :- X = a ; reach(Y), edge(Y, X).
stream([H|T]) :- H = 1, ( var(T) -> true ; stream(T) ).
each(L) :- L \= [], L = [H|T], ok(H), ignore(each(T)).
try(N) :- N > 0, M is N - 1, ( catch(try(M), _, fail) ; true ).
skip(N) :- N > 3, !, M is N-1, once(( skip(M) ; true )).
ok(_).
collect(N, L) :- findall(X, ( N > 0, M is N-1, collect(M, X) ), L).
count(N) :- ( N > 0, M is N-1, count(M), fail ) ; true.
srch(S) :- step(S, T), ( done(T) ; srch(T) ).
step(X, Y) :- X < 9, Y is X + 1.
done(9).
play(S) :- step(S, T), ( done(T) -> true ; play(T) ).
