% A grid of Width by Height cells, numbered from 1 row by row: cell 1 is x = 1,
% y = 1, cell 2 is x = 2, y = 1.  A direction is a pair DX, DY.

:- module(grid, [
    cell/4,
    on_grid/4,
    square_name/3,
    orthogonal/2,
    diagonal/2,
    direction/2,
    knight_step/2,
    step/6,
    neighbour/4,
    touching/4,
    ray/6
]).

%! cell(+Width, ?X, ?Y, ?I)
%  Cell number I lies at X, Y.  Either I or both X and Y must be known.
cell(Width, X, Y, I) :-
    (   var(I)
    ->  I is (Y - 1) * Width + X
    ;   X is (I - 1) mod Width + 1,
        Y is (I - 1) // Width + 1
    ).

%! on_grid(+Width, +Height, ?X, ?Y)
%  X, Y is a place on the grid; enumerates them all, row by row.
on_grid(Width, Height, X, Y) :-
    between(1, Height, Y),
    between(1, Width, X).

%! square_name(+Width, ?I, ?Name)
%  The name that people give to cell I: a letter for x, a number for y, as c4.
%  Either I or Name must be known.
square_name(Width, I, Name) :-
    (   var(I)
    ->  sub_atom(Name, 0, 1, Rest, First),
        sub_atom(Name, 1, Rest, 0, Row),
        char_code(First, At),
        X is At - 0'a + 1,
        between(1, Width, X),
        atom_number(Row, Y),
        integer(Y),
        Y >= 1,
        cell(Width, X, Y, I)
    ;   cell(Width, X, Y, I)
    ),
    Code is 0'a + X - 1,
    char_code(Letter, Code),
    atom_concat(Letter, Y, Name).

%! orthogonal(?DX, ?DY)
%  The four directions along rows and columns.
orthogonal(0, 1).
orthogonal(1, 0).
orthogonal(0, -1).
orthogonal(-1, 0).

%! diagonal(?DX, ?DY)
%  The four diagonal directions.
diagonal(1, 1).
diagonal(1, -1).
diagonal(-1, -1).
diagonal(-1, 1).

%! direction(?DX, ?DY)
%  All eight directions, clockwise.
direction(0, 1).
direction(1, 1).
direction(1, 0).
direction(1, -1).
direction(0, -1).
direction(-1, -1).
direction(-1, 0).
direction(-1, 1).

%! knight_step(?DX, ?DY)
%  The eight steps of a knight, clockwise.
knight_step(1, 2).
knight_step(2, 1).
knight_step(2, -1).
knight_step(1, -2).
knight_step(-1, -2).
knight_step(-2, -1).
knight_step(-2, 1).
knight_step(-1, 2).

%! step(+Width, +Height, +I, +DX, +DY, -J)
%  J is the cell DX to the right of and DY above cell I; fails off the grid.
step(Width, Height, I, DX, DY, J) :-
    X is (I - 1) mod Width + 1 + DX,
    X >= 1,
    X =< Width,
    J is I + DY * Width + DX,
    J >= 1,
    J =< Width * Height.

%! neighbour(+Width, +Height, +I, -J)
%  J shares an edge with cell I.
neighbour(Width, Height, I, J) :-
    orthogonal(DX, DY),
    step(Width, Height, I, DX, DY, J).

%! touching(+Width, +Height, +I, -J)
%  J shares an edge or a corner with cell I, as for a king.
touching(Width, Height, I, J) :-
    direction(DX, DY),
    step(Width, Height, I, DX, DY, J).

%! ray(+Width, +Height, +I, +DX, +DY, -Cells)
%  Cells are those beyond cell I in one direction, in order, up to the edge.
ray(Width, Height, I, DX, DY, Cells) :-
    (   step(Width, Height, I, DX, DY, J)
    ->  Cells = [J|Rest],
        ray(Width, Height, J, DX, DY, Rest)
    ;   Cells = []
    ).
