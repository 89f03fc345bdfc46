% Hex on 6x6 from the middle of a game, translated from GDL; left-recursive tabled connected/3.
% x joins the columns 1 and 6, o the rows 1 and 6.
:- table connected/3.

role(x). role(o).
other(x, o). other(o, x).
stone(2, 2, x). stone(3, 2, x). stone(4, 3, x). stone(5, 5, x). stone(1, 3, x). stone(6, 2, x). stone(3, 5, x). stone(2, 5, x).
stone(3, 3, o). stone(2, 4, o). stone(4, 4, o). stone(5, 2, o). stone(5, 1, o). stone(2, 6, o). stone(4, 5, o). stone(6, 6, o).
init(cell(X, Y, P)) :- between(1, 6, X), between(1, 6, Y), ( stone(X, Y, P) -> true ; P = b ).
init(control(x)).
initial(S) :- findall(F, init(F), L), sort(L, S).
max_to_move(S) :- memberchk(control(x), S).

adjacent(X, Y, U, Y) :- U is X + 1.
adjacent(X, Y, U, Y) :- U is X - 1.
adjacent(X, Y, X, V) :- V is Y + 1.
adjacent(X, Y, X, V) :- V is Y - 1.
adjacent(X, Y, U, V) :- U is X + 1, V is Y - 1.
adjacent(X, Y, U, V) :- U is X - 1, V is Y + 1.

connected(S, A, B) :- connected(S, A, C), link(S, C, B).
connected(S, A, A) :- A = c(X, Y), member(cell(X, Y, P), S), P \== b.

link(S, c(X, Y), c(U, V)) :-
    memberchk(cell(X, Y, P), S), adjacent(X, Y, U, V), memberchk(cell(U, V, P), S).

joined(S, x) :- member(cell(1, Y, x), S), connected(S, c(1, Y), c(6, _)), !.
joined(S, o) :- member(cell(X, 1, o), S), connected(S, c(X, 1), c(_, 6)), !.

legal(S, P, mark(X, Y)) :- memberchk(control(P), S), member(cell(X, Y, b), S).

next(_, P, mark(X, Y), cell(X, Y, P)).
next(S, _, mark(X, Y), cell(U, V, Q)) :- member(cell(U, V, Q), S), \+ ( U = X, V = Y ).
next(_, P, _, control(Q)) :- other(P, Q).

moves(S, Ss) :-
    findall(S1, ( role(P), legal(S, P, M), findall(F, next(S, P, M, F), L), sort(L, S1) ), Ss).

terminal(S) :- joined(S, x).
terminal(S) :- joined(S, o).
terminal(S) :- \+ member(cell(_, _, b), S).

static_eval(S, 1000) :- joined(S, x), !.
static_eval(S, -1000) :- joined(S, o), !.
static_eval(S, V) :-
    aggregate_all(count, ( member(cell(1, Y, x), S), connected(S, c(1, Y), _) ), A),
    aggregate_all(count, ( member(cell(X, 1, o), S), connected(S, c(X, 1), _) ), B),
    V is A - B.
