% K in a row, column or diagonal on a board of Width by Height cells, which are
% numbered from 1 row by row and held as the arguments of one compound term.

:- module(lines, [line/4, in_a_row/5, in_a_row_at/6]).
:- use_module(library(alphorn)).
:- use_module(library(grid)).

%! line(+Width, +Height, +K, -Cells)
%  Enumerates the lines of K cells, each a list of cell numbers.
line(Width, Height, K, [I|Cells]) :-
    line_direction(DX, DY),
    on_grid(Width, Height, X, Y),
    cell(Width, X, Y, I),
    line_from(K, Width, Height, I, DX, DY, Cells).

%! in_a_row(+Board, +Width, +Height, +K, +Piece)
%  Piece stands on all cells of some line of K.
in_a_row(Board, Width, Height, K, Piece) :-
    line_direction(DX, DY),
    args_with(Board, Piece, I),
    line_from(K, Width, Height, I, DX, DY, Cells),
    all_hold(Cells, Board, Piece),
    !.

%! in_a_row_at(+Board, +Width, +Height, +K, ?Piece, +I)
%  Piece stands on cell I and on K or more cells in a row through it: the
%  quick test after a move to I.
in_a_row_at(Board, Width, Height, K, Piece, I) :-
    arg(I, Board, Piece),
    line_direction(DX, DY),
    run(Board, Width, Height, Piece, I, DX, DY, 1, Forward),
    BX is -DX,
    BY is -DY,
    run(Board, Width, Height, Piece, I, BX, BY, Forward, Length),
    Length >= K,
    !.

line_direction(1, 0).
line_direction(0, 1).
line_direction(1, 1).
line_direction(-1, 1).

% The K - 1 cells that follow I; fails where they leave the grid.
line_from(1, _, _, _, _, _, Cells) :-
    !,
    Cells = [].
line_from(K, Width, Height, I, DX, DY, [J|Cells]) :-
    step(Width, Height, I, DX, DY, J),
    K1 is K - 1,
    line_from(K1, Width, Height, J, DX, DY, Cells).

all_hold([], _, _).
all_hold([I|Cells], Board, Piece) :-
    arg(I, Board, Cell),
    Cell == Piece,
    all_hold(Cells, Board, Piece).

% Length is Length0 and the number of Pieces that follow I without a gap.
run(Board, Width, Height, Piece, I, DX, DY, Length0, Length) :-
    (   step(Width, Height, I, DX, DY, J),
        arg(J, Board, Cell),
        Cell == Piece
    ->  Length1 is Length0 + 1,
        run(Board, Width, Height, Piece, J, DX, DY, Length1, Length)
    ;   Length = Length0
    ).
