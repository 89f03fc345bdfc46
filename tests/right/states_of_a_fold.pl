% A fold through three states, each with a number that the fold passes on.
initial(g(max, [1, 2, 3])).
max_to_move(g(max, _)).
move(g(P, L), X, g(Q, R)) :-
    select(X, L, R),
    lights(L, R, St),
    St = st(C, _),
    next(C, P, Q).
lights(L, R, S) :-
    append(R, [0], R0),
    foldl(change, L, R0, st(red, 0), S).
change(A, B, st(red, N), st(green, N)) :- A >= B.
change(A, B, st(red, N), st(red, N)) :- A < B.
change(_, _, st(green, N), st(amber, N)).
change(_, _, st(amber, N), st(red, N)).
next(red, max, min).
next(red, min, max).
next(green, max, min).
next(green, min, max).
next(amber, P, P).
no_moves(loss).
acyclic.
