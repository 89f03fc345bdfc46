% right: a step over a fence is legal where another one goes on; the label is chosen by if-then-else.
initial(at(max, 1/1)).
max_to_move(at(max, _)).
move(at(P, C), to(N), at(O, N)) :-
    opp(P, O),
    dir(D),
    step(C, D, M),
    (   M \== 2/1
    ->  N = M
    ;   step(M, D, N)
    ).
opp(max, min).
opp(min, max).
dir(n).
dir(e).
dir(s).
dir(w).
d(n, 0, 1).
d(e, 1, 0).
d(s, 0, -1).
d(w, -1, 0).
step(X/Y, D, X1/Y1) :-
    d(D, DX, DY),
    X1 is X + DX,
    Y1 is Y + DY,
    inside(X1, Y1),
    \+ fence(X/Y, X1/Y1).
inside(X, Y) :-
    between(1, 3, X),
    between(1, 3, Y).
fence(1/1, 1/2).
terminal(at(_, 2/3)).
outcome(at(P, 2/3), win(O)) :-
    opp(P, O).
repetition(draw).
