% Othello on 6x6, translated from GDL: the position is a sorted list of cell(X,Y,Piece) and control(Player).
:- table flank/6, flipped/6, placeable/4.

other(b, w). other(w, b).

init(cell(3, 3, w)). init(cell(4, 4, w)). init(cell(3, 4, b)). init(cell(4, 3, b)).
init(cell(X, Y, e)) :- between(1, 6, X), between(1, 6, Y), \+ ( X >= 3, X =< 4, Y >= 3, Y =< 4 ).
init(control(b)).
initial(S) :- setof(F, init(F), S).
max_to_move(S) :- memberchk(control(b), S).

dir(-1, -1). dir(-1, 0). dir(-1, 1). dir(0, -1). dir(0, 1). dir(1, -1). dir(1, 0). dir(1, 1).

% From X,Y in this direction come men of the other player, then one of P.
flank(S, P, X, Y, DX, DY) :-
    other(P, Q), U is X + DX, V is Y + DY,
    memberchk(cell(U, V, Q), S),
    closes(S, P, U, V, DX, DY).
closes(S, P, X, Y, DX, DY) :- U is X + DX, V is Y + DY, memberchk(cell(U, V, P), S).
closes(S, P, X, Y, DX, DY) :- flank(S, P, X, Y, DX, DY).

placeable(S, P, X, Y) :- dir(DX, DY), flank(S, P, X, Y, DX, DY).

% A man on X,Y turns the man on U,V.
flipped(S, P, X, Y, U, V) :- dir(DX, DY), flank(S, P, X, Y, DX, DY), along(S, P, X, Y, DX, DY, U, V).
along(S, P, X, Y, DX, DY, U, V) :-
    other(P, Q), X1 is X + DX, Y1 is Y + DY, memberchk(cell(X1, Y1, Q), S),
    (   U = X1, V = Y1
    ;   along(S, P, X1, Y1, DX, DY, U, V)
    ).

legal(S, P, place(X, Y)) :- member(cell(X, Y, e), S), placeable(S, P, X, Y).
can(S, P) :- legal(S, P, _), !.
does(S, P, M) :- legal(S, P, M).
does(S, P, noop) :- \+ can(S, P).

next(S, P, place(X, Y), cell(U, V, R)) :-
    member(cell(U, V, Q), S),
    (   U = X, V = Y -> R = P
    ;   Q \== e, flipped(S, P, X, Y, U, V) -> R = P
    ;   R = Q
    ).
next(S, _, noop, cell(X, Y, Q)) :- member(cell(X, Y, Q), S).
next(_, P, _, control(Q)) :- other(P, Q).

moves(S, Ss) :-
    memberchk(control(P), S),
    findall(S1, ( does(S, P, M), findall(F, next(S, P, M, F), L), sort(L, S1) ), Ss).

terminal(S) :- \+ can(S, b), \+ can(S, w).

static_eval(S, V) :-
    aggregate_all(count, member(cell(_, _, b), S), B),
    aggregate_all(count, member(cell(_, _, w), S), W),
    aggregate_all(count, legal(S, b, _), MB),
    aggregate_all(count, legal(S, w, _), MW),
    V is B - W + 2 * (MB - MW).
