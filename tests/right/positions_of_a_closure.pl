% Positions that a closure of =.. makes.
initial(P) :- made([pos, max, 3], P).
max_to_move(pos(max, _)).
move(P, go, Q) :-
    arg(1, P, S),
    arg(2, P, N),
    N > 0,
    M is N - 1,
    other(S, T),
    made([pos, T, M], Q).
static_eval(pos(_, N), N).
made(List, Term) :- maplist([X, Y] >> call(=.., Y, X), [List], [Term]).
other(max, min).
other(min, max).
