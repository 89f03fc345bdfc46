% Connect four, translated from GDL: a position is the sorted list of the facts that are true in it.
:- table line/2, open/1, legal/3.

role(x). role(o).
init(cell(X, Y, b)) :- between(1, 7, X), between(1, 6, Y).
init(control(x)).

initial(S) :- findall(F, init(F), L), sort(L, S).
max_to_move(S) :- memberchk(control(x), S).

other(x, o). other(o, x).

legal(S, P, drop(X)) :- memberchk(control(P), S), between(1, 7, X), memberchk(cell(X, 6, b), S).

bottom(S, X, 1) :- memberchk(cell(X, 1, b), S).
bottom(S, X, Y) :- member(cell(X, Y, b), S), Y > 1, Y0 is Y - 1, member(P, [x, o]), memberchk(cell(X, Y0, P), S).

next(S, P, drop(X), cell(X, Y, P)) :- bottom(S, X, Y).
next(S, _, drop(X), cell(X, Y, b)) :- member(cell(X, Y, b), S), \+ bottom(S, X, Y).
next(S, _, drop(X), cell(U, V, b)) :- member(cell(U, V, b), S), U =\= X.
next(S, _, _, cell(U, V, Q)) :- member(cell(U, V, Q), S), Q \== b.
next(_, P, _, control(Q)) :- other(P, Q).

moves(S, Ss) :-
    findall(S1, ( role(P), legal(S, P, M), findall(F, next(S, P, M, F), L), sort(L, S1) ), Ss).

direction(1, 0). direction(0, 1). direction(1, 1). direction(1, -1).
line(S, P) :-
    member(cell(X, Y, P), S), direction(DX, DY),
    X1 is X + DX, Y1 is Y + DY, memberchk(cell(X1, Y1, P), S),
    X2 is X1 + DX, Y2 is Y1 + DY, memberchk(cell(X2, Y2, P), S),
    X3 is X2 + DX, Y3 is Y2 + DY, memberchk(cell(X3, Y3, P), S).
open(S) :- member(cell(_, _, b), S).

terminal(S) :- line(S, x).
terminal(S) :- line(S, o).
terminal(S) :- \+ open(S).

static_eval(S, 100) :- line(S, x), !.
static_eval(S, -100) :- line(S, o), !.
static_eval(S, V) :-
    aggregate_all(count, ( legal(S, _, drop(X)), bottom(S, X, Y), memberchk(cell(X, Y, b), S) ), N),
    aggregate_all(count, member(cell(4, _, x), S), A),
    aggregate_all(count, member(cell(4, _, o), S), B),
    V is N + 3 * (A - B).
