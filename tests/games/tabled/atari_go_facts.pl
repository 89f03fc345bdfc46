% Atari go on 5x5 (the first capture wins), GDL style; right-recursive tabled group/3, tabled liberty/3.
:- table group/3, liberty/3, captured/2.

other(b, w). other(w, b).
stone(2, 2, b). stone(3, 2, w). stone(3, 3, b). stone(2, 3, w). stone(4, 3, b). stone(4, 2, w).
init(cell(X, Y, P)) :- between(1, 5, X), between(1, 5, Y), ( stone(X, Y, P) -> true ; P = e ).
init(control(b)).
init(step(1)).
initial(S) :- findall(F, init(F), L), sort(L, S).
max_to_move(S) :- memberchk(control(b), S).

near(X-Y, U-Y) :- U is X + 1.
near(X-Y, U-Y) :- U is X - 1.
near(X-Y, X-V) :- V is Y + 1.
near(X-Y, X-V) :- V is Y - 1.

at(S, X-Y, P) :- member(cell(X, Y, P), S).

group(_, A, A).
group(S, A, B) :- at(S, A, P), P \== e, near(A, C), at(S, C, P), group(S, C, B).

liberty(S, A, L) :- group(S, A, B), near(B, L), at(S, L, e).

captured(S, P) :- at(S, A, P), \+ liberty(S, A, _).

legal(S, P, play(X, Y)) :- memberchk(control(P), S), member(cell(X, Y, e), S).

next(S, P, play(X, Y), cell(U, V, R)) :- member(cell(U, V, Q), S), ( U = X, V = Y -> R = P ; R = Q ).
next(_, P, _, control(Q)) :- other(P, Q).
next(S, _, _, step(N)) :- memberchk(step(M), S), N is M + 1.

moves(S, Ss) :-
    memberchk(control(P), S),
    findall(S1, ( legal(S, P, M), findall(F, next(S, P, M, F), L), sort(L, S1) ), Ss).

terminal(S) :- captured(S, w).
terminal(S) :- captured(S, b).
terminal(S) :- \+ memberchk(cell(_, _, e), S).

static_eval(S, 1000) :- memberchk(control(w), S), captured(S, w), !.
static_eval(S, -1000) :- memberchk(control(b), S), captured(S, b), !.
static_eval(S, V) :-
    aggregate_all(sum(N), ( at(S, A, b), aggregate_all(count, liberty(S, A, _), N) ), B),
    aggregate_all(sum(N), ( at(S, A, w), aggregate_all(count, liberty(S, A, _), N) ), W),
    V is B - W.
