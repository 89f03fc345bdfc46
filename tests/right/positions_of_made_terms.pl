% Positions that compound_name_arity/3 makes: no clause shows their shape.
initial(P) :- compound_name_arity(P, pos, 2), arg(1, P, max), arg(2, P, 3).
max_to_move(pos(max, _)).
move(P, go, Q) :-
    arg(1, P, S),
    arg(2, P, N),
    N > 0,
    M is N - 1,
    other(S, T),
    compound_name_arity(Q, pos, 2),
    arg(1, Q, T),
    arg(2, Q, M).
static_eval(pos(_, N), N).
other(max, min).
other(min, max).
