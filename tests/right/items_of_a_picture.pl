% right: a list in draw/2 has items of several forms, one of each.
:- use_module(library(alphorn)).
initial(at(max, 3)).
max_to_move(at(max, _)).
move(at(P, N), down, at(Q, M)) :-
    N > 0,
    M is N - 1,
    other(P, Q).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
hand(1, [piece(a, x)]).
hand(2, [piece(b, x)]).
draw(at(_, N), Items) :- hand(1, H), append([H, [point(a, 0, 0), point(b, 1, 0)], [piece(a, x), piece(b, o), piece(N, x), mark(a)]], Items).
