% Right: positions are lists, and the moves give lists of lists.
initial([max, 3, 4, 5]).
max_to_move([max|_]).
min_to_move([min|_]).
moves([Who|Heaps], Nexts) :-
    other(Who, Whom),
    findall([Whom|Left], taken(Heaps, Left), Nexts).
taken([H|T], [G|T]) :- between(1, H, K), G is H - K.
taken([H|T], [H|S]) :- taken(T, S).
terminal([_, 0, 0, 0]).
outcome([max, 0, 0, 0], win(min)).
outcome([min|_], win(max)).
show([Who|Heaps], [L1, L2]) :- format(atom(L1), "~w", [Who]), format(atom(L2), "~w", [Heaps]).
quiet([]).
quiet([_, _]).
acyclic.
other(max, min).
other(min, max).
