% Kinds of move on a board of Width by Height cells (see grid.pl), held as the
% arguments of one compound term.  An empty cell is the atom e.

:- module(board, [
    slide/7,
    hop/8,
    outflank/8,
    flips/6,
    fill/4,
    board_rows/3,
    board_lines/3
]).
:- use_module(library(alphorn)).
:- use_module(library(grid)).

%! slide(+Board, +Width, +Height, +I, +DX, +DY, -J)
%  Enumerates the empty cells beyond I in one direction, nearest first, up to
%  the first piece.
slide(Board, Width, Height, I, DX, DY, J) :-
    step(Width, Height, I, DX, DY, Next),
    arg(Next, Board, e),
    (   J = Next
    ;   slide(Board, Width, Height, Next, DX, DY, J)
    ).

%! hop(+Board, +Width, +Height, +I, +DX, +DY, -Over, -J)
%  A piece on I can hop over the piece on the next cell, Over, to the empty
%  cell J just behind it.
hop(Board, Width, Height, I, DX, DY, Over, J) :-
    step(Width, Height, I, DX, DY, Over),
    arg(Over, Board, Piece),
    Piece \== e,
    step(Width, Height, Over, DX, DY, J),
    arg(J, Board, e).

%! outflank(+Board, +Width, +Height, +I, +DX, +DY, +Piece, -Cells)
%  Cells, one or more, hold the other side's pieces that stand in an unbroken
%  row between I and the next Piece in this direction.
outflank(Board, Width, Height, I, DX, DY, Piece, [J|Cells]) :-
    step(Width, Height, I, DX, DY, J),
    arg(J, Board, Other),
    Other \== e,
    Other \== Piece,
    outflanked(Board, Width, Height, J, DX, DY, Piece, Cells).

outflanked(Board, Width, Height, I, DX, DY, Piece, Cells) :-
    step(Width, Height, I, DX, DY, J),
    arg(J, Board, Next),
    Next \== e,
    (   Next == Piece
    ->  Cells = []
    ;   Cells = [J|Rest],
        outflanked(Board, Width, Height, J, DX, DY, Piece, Rest)
    ).

%! flips(+Board, +Width, +Height, +I, +Piece, -Cells)
%  Cells are all those that a Piece placed on I outflanks, in any of the eight
%  directions; fails where there are none.
flips(Board, Width, Height, I, Piece, Cells) :-
    findall(Row,
            ( direction(DX, DY),
              outflank(Board, Width, Height, I, DX, DY, Piece, Row) ),
            [First|Rows]),
    append([First|Rows], Cells).

%! fill(+Board, +Cells, +Piece, -New)
%  New is Board with Piece on each of Cells.
fill(Board, Cells, Piece, New) :-
    findall(I-Piece, member(I, Cells), Changes),
    put_args(Board, Changes, New).

%! board_rows(+Board, +Width, -Lines)
%  The picture of the board, one line a row, row 1 at the bottom.
board_rows(Board, Width, Lines) :-
    Board =.. [_|Cells],
    draw_rows(Cells, Width, [], Lines).

draw_rows([], _, Lines, Lines) :- !.
draw_rows(Cells, Width, Below, Lines) :-
    length(Row, Width),
    append(Row, Above, Cells),
    maplist(mark, Row, Marks),
    atomic_list_concat(Marks, ' ', Line),
    draw_rows(Above, Width, [Line|Below], Lines).

mark(Cell, Mark) :-
    (   Cell == e
    ->  Mark = '.'
    ;   Mark = Cell
    ).

%! board_lines(+Board, +Width, -Lines)
%  The same with the rows' numbers on the left and the columns' letters below.
board_lines(Board, Width, Lines) :-
    board_rows(Board, Width, Rows),
    length(Rows, Height),
    number_rows(Rows, Height, Width, Lines).

number_rows([], _, Width, [Line]) :-
    findall(Letter,
            ( between(1, Width, X), square_name(Width, X, Name),
              sub_atom(Name, 0, 1, _, Letter) ),
            Letters),
    atomic_list_concat(['  '|Letters], ' ', Line).
number_rows([Row|Rows], Y, Width, [Line|Lines]) :-
    (   Y < 10
    ->  Pad = ' '
    ;   Pad = ''
    ),
    atomic_list_concat([Pad, Y, ' ', Row], Line),
    Y1 is Y - 1,
    number_rows(Rows, Y1, Width, Lines).
