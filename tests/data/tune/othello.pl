% An overlay of games/othello.pl: the weights of squares as parameters, with the values of the 6x6 board.
:- param(size, 6, [6], "side of the board").
:- param(corner, 8, -30..30, "weight of a corner").
:- param(next_to_corner, -2, -30..30, "weight of an edge square next to a corner").
:- param(diagonal, -4, -30..30, "weight of a square diagonally next to a corner").
:- param(edge, 1, -30..30, "weight of another edge square").
:- param(inner, 0, -30..30, "weight of every other square").

weights(6, w(C, N, E, E, N, C,
             N, D, I, I, D, N,
             E, I, I, I, I, E,
             E, I, I, I, I, E,
             N, D, I, I, D, N,
             C, N, E, E, N, C)) :-
    param(corner, C),
    param(next_to_corner, N),
    param(diagonal, D),
    param(edge, E),
    param(inner, I).

value_range(-1000, 1000).
