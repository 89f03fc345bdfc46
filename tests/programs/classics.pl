% Programs that every Prolog system has been timed by, with questions of a few thousand steps.

%? nrev([1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30], L)
%? qsort([27,74,17,33,94,18,46,83,65,2,32,53,28,85,99,47,28,82,6,11], L, [])
%? queens(6, Qs)
%? tak(9, 6, 3, A)
%? hanoi(6, a, b, c, Moves)
%? d((x + 1) * (x ^ 2 + 2) * (x ^ 3 + 3), x, D)
%? primes(60, Ps)
%? solve(Send)
%? zebra(Owner)
%? ackermann(2, 3, N)
%? fact(40, F)
%? fib(300, F)
%? path(a, X)
%? path(X, Y)
%? mutant(X)
%? poly(6, P)
%? sum(Xs, 4)

nrev([], []).
nrev([H|T], R) :- nrev(T, S), app(S, [H], R).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

qsort([], R, R).
qsort([X|L], R, R0) :-
    split(L, X, L1, L2),
    qsort(L2, R1, R0),
    qsort(L1, R, [X|R1]).

split([], _, [], []).
split([X|L], Y, [X|L1], L2) :- X =< Y, !, split(L, Y, L1, L2).
split([X|L], Y, L1, [X|L2]) :- split(L, Y, L1, L2).

queens(N, Qs) :- numlist(1, N, Ns), place(Ns, [], Qs).

place([], Qs, Qs).
place(Left, Safe, Qs) :-
    select(Q, Left, Rest),
    \+ attack(Q, 1, Safe),
    place(Rest, [Q|Safe], Qs).

attack(X, N, [Y|_]) :- X is Y + N ; X is Y - N.
attack(X, N, [_|Ys]) :- M is N + 1, attack(X, M, Ys).

tak(X, Y, Z, A) :- X =< Y, !, Z = A.
tak(X, Y, Z, A) :-
    X1 is X - 1, Y1 is Y - 1, Z1 is Z - 1,
    tak(X1, Y, Z, A1), tak(Y1, Z, X, A2), tak(Z1, X, Y, A3),
    tak(A1, A2, A3, A).

hanoi(N, A, B, C, Moves) :- phrase(tower(N, A, B, C), Moves).

tower(0, _, _, _) --> !.
tower(N, A, B, C) --> { M is N - 1 }, tower(M, A, C, B), [A-B], tower(M, C, B, A).

d(U + V, X, DU + DV) :- !, d(U, X, DU), d(V, X, DV).
d(U - V, X, DU - DV) :- !, d(U, X, DU), d(V, X, DV).
d(U * V, X, DU * V + U * DV) :- !, d(U, X, DU), d(V, X, DV).
d(U ^ N, X, DU * N * U ^ M) :- !, integer(N), M is N - 1, d(U, X, DU).
d(X, X, 1) :- !.
d(_, _, 0).

primes(N, Ps) :- numlist(2, N, L), sieve(L, Ps).

sieve([], []).
sieve([P|Xs], [P|Ps]) :- exclude([X]>>(X mod P =:= 0), Xs, Ys), sieve(Ys, Ps).

solve([A, B, C]) :-
    member(A, [1, 2, 3, 4]), member(B, [1, 2, 3, 4]), A < B,
    C2 is A * A + B * B, between(1, 9, C), C * C =:= C2.

zebra(Owner) :-
    Houses = [house(_, norwegian, _, _), _, house(_, _, milk, _)],
    member(house(red, english, _, _), Houses),
    member(house(green, _, coffee, _), Houses),
    member(house(_, spanish, _, dog), Houses),
    left(house(_, _, _, fox), house(yellow, _, _, _), Houses),
    member(house(_, Owner, tea, _), Houses).

left(A, B, [A, B|_]).
left(A, B, [_|Rest]) :- left(A, B, Rest).

ackermann(0, N, R) :- !, R is N + 1.
ackermann(M, 0, R) :- !, M1 is M - 1, ackermann(M1, 1, R).
ackermann(M, N, R) :- M1 is M - 1, N1 is N - 1, ackermann(M, N1, R1), ackermann(M1, R1, R).

fact(0, 1) :- !.
fact(N, F) :- M is N - 1, fact(M, G), F is N * G.

:- table fib/2.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, X), fib(B, Y), F is X + Y.

:- table path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

edge(a, b).
edge(b, c).
edge(c, a).
edge(c, d).
edge(e, a).

animal([a,l,l,i,g,a,t,o,r]).
animal([t,o,r,t,u,e]).
animal([c,a,r,i,b,o,u]).
animal([o,u,r,s]).
animal([c,h,e,v,a,l]).
animal([v,a,c,h,e]).
animal([l,a,p,i,n]).

mutant(X) :-
    animal(Y), animal(Z), Y \== Z,
    append(Y1, Y2, Y), Y1 \== [],
    append(Y2, Z2, Z), Y2 \== [],
    append(Y1, Z, L), Z2 \== [],
    atom_chars(X, L).

poly(0, [1]) :- !.
poly(N, P) :- M is N - 1, poly(M, Q), add([0|Q], Q, P).

add([], L, L) :- !.
add(L, [], L) :- !.
add([X|Xs], [Y|Ys], [Z|Zs]) :- Z is X + Y, add(Xs, Ys, Zs).

sum([], 0).
sum([X|Xs], S) :- S > 0, between(1, S, X), R is S - X, sum(Xs, R).
