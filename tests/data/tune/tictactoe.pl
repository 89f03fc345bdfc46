% An overlay of games/tictactoe.pl: an evaluation by the places of the marks, which knows nothing at first.
:- param(centre, 0, -9..9, "worth of the centre").
:- param(corner, 0, -9..9, "worth of a corner").
:- param(side, 0, -9..9, "worth of the middle of a side").
:- param(unused, 1, 0..5, "worth of a tenth cell, which there is not").

static_eval(pos(_, Cells), 1000) :- line(x, Cells), !.
static_eval(pos(_, Cells), -1000) :- line(o, Cells), !.
static_eval(pos(_, [A,B,C, D,E,F, G,H,I]), Value) :-
    param(centre, Centre),
    param(corner, Corner),
    param(side, Side),
    param(unused, Unused),
    marks([E], 0, M),
    marks([A,C,G,I], 0, Cs),
    marks([B,D,F,H], 0, Ss),
    marks([], 0, None),
    Value is Centre * M + Corner * Cs + Side * Ss + Unused * None.

marks([], Sum, Sum).
marks([Cell|Cells], Sum0, Sum) :-
    mark_worth(Cell, Worth),
    Sum1 is Sum0 + Worth,
    marks(Cells, Sum1, Sum).

mark_worth(x, 1).
mark_worth(o, -1).
mark_worth(e, 0).

value_range(-1000, 1000).
