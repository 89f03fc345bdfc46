% Fox and geese on the dark squares of a chessboard: the fox steps diagonally in any direction,
% the geese only forward, nobody captures.  The fox, who is MAX and begins, wins on the row from
% which the geese set out; who cannot move loses.  Source: the old board game, as in Winning
% Ways by E. Berlekamp, J. Conway and R. Guy, 1982.

:- use_module(library(alphorn)).
:- use_module(library(bits)).

:- param(size, 8, [4, 6, 8], "rows and columns of the board; geese are half as many").
:- param(fox, d, [b, d, f, h], "the column on which the fox starts, one that the board has").

% Counted by another program, which goes backward through all positions, 895,280 here.  It finds
% that the geese win 8 by 8 in 44 plies and 4 by 4 in 8, but the fox 6 by 6 in 25.
:- expect(perft(1) = 2).
:- expect(perft(2) = 14).
:- expect(perft(3) = 56).
:- expect(perft(4) = 344).
:- expect(perft(5) = 1032).
% From there too: the fox on c7, geese on d4, a5, g5, d6; on c5 before a1, b2, d2, f2; and on b4
% between d2, a3, c5, c7.  The only move that wins is found in the last two.
:- expect(value(pos(geese, 0x10000000, 0x1248000), 11) = -999989).
:- expect(value(pos(fox, 0x80000, 0xE1), 11) = 999989).
:- expect(best(pos(fox, 0x80000, 0xE1), 11) = c5-d4).
:- expect(best(pos(geese, 0x4000, 0x10080240), 9) = d2-c3).
% The fox on f8, shut in by e7 and g7.
:- expect(value(pos(fox, 0x400000000, 0x70200000), 0) = -1000000).

% pos(Side to move, fox, geese).  A set of squares is a number with a bit for each: 0 for a1, 1
% for c1, 5 for b2, 9 for a3, whatever the size.  So a step is a shift by 4 or 5.  Bits between
% the rows (4, 13, 22, 31) are no squares: nobody steps over an edge.
initial(pos(fox, Fox, Geese)) :-
    param(size, Size),
    param(fox, Column),
    atom_concat(Column, Size, Name),
    board(Size, Squares, Geese),
    square(I, Name),
    Fox is 1 << I,
    Fox /\ Squares =\= 0.

% board(Size, All squares, those of the first row).
board(4, 0x00000C663, 0x3).
board(6, 0x0039DCEE7, 0x7).
board(8, 0xF7FBFDFEF, 0xF).

max_to_move(pos(fox, _, _)).

% A move is written as the names of two squares, d8-c7.
move(pos(fox, Fox, Geese), Start-End, pos(geese, Fox1, Geese)) :-
    free(Fox, Geese, Free),
    ( Near is Fox >> 5 ; Near is Fox >> 4 ; Near is Fox << 4 ; Near is Fox << 5 ),
    Fox1 is Near /\ Free,
    Fox1 =\= 0,
    name(Fox, Start),
    name(Fox1, End).
move(pos(geese, Fox, Geese), Start-End, pos(fox, Fox, Geese1)) :-
    free(Fox, Geese, Free),
    ( Step = 4 ; Step = 5 ),
    Movers is Geese /\ (Free >> Step),
    bit(Movers, Goose),
    To is Goose << Step,
    Geese1 is Geese - Goose + To,
    name(Goose, Start),
    name(To, End).

free(Fox, Geese, Free) :-
    param(size, Size),
    board(Size, Squares, _),
    Free is Squares /\ \(Fox \/ Geese).

terminal(Pos) :-
    outcome(Pos, _).

outcome(pos(geese, Fox, Geese), win(max)) :-
    (   Fox =< 8
    ->  true
    ;   free(Fox, Geese, Free),
        Geese /\ (Free >> 4 \/ Free >> 5) =:= 0
    ).
outcome(pos(fox, Fox, Geese), win(min)) :-
    free(Fox, Geese, Free),
    Free /\ (Fox >> 5 \/ Fox >> 4 \/ Fox << 4 \/ Fox << 5) =:= 0.

% Good for the fox: a short way home, past geese that stand still; else much room.
static_eval(pos(_, Fox, Geese), Value) :-
    free(Fox, Geese, Free),
    room(Fox, Free, 0, Value).

% room(Room, Free, Steps, Value): the fox reaches each square of Room in that many steps.
room(Room, Free, Steps, Value) :-
    (   Room /\ 0xF =\= 0
    ->  Value is 100 - Steps
    ;   More is Room \/ (Free /\ (Room >> 5 \/ Room >> 4 \/ Room << 4 \/ Room << 5)),
        (   More =:= Room
        ->  Value is popcount(Room) - 50
        ;   Steps1 is Steps + 1,
            room(More, Free, Steps1, Value)
        )
    ).

value_range(-50, 100).
repetition(draw).

name(Bit, Name) :-
    I is msb(Bit),
    square(I, Name).

square(0, a1). square(1, c1). square(2, e1). square(3, g1).
square(5, b2). square(6, d2). square(7, f2). square(8, h2).
square(9, a3). square(10, c3). square(11, e3). square(12, g3).
square(14, b4). square(15, d4). square(16, f4). square(17, h4).
square(18, a5). square(19, c5). square(20, e5). square(21, g5).
square(23, b6). square(24, d6). square(25, f6). square(26, h6).
square(27, a7). square(28, c7). square(29, e7). square(30, g7).
square(32, b8). square(33, d8). square(34, f8). square(35, h8).

show(pos(Side, Fox, Geese), Lines) :-
    param(size, Size),
    findall(Line, ( between(1, Size, Row), Y is Size - Row, line(Y, Size, Fox, Geese, Line) ),
            Rows),
    findall(Letter, ( between(1, Size, X), Code is 0'a + X - 1, char_code(Letter, Code) ),
            Letters),
    atomic_list_concat([' '|Letters], ' ', Columns),
    atom_concat(Side, ' to move', Status),
    append(Rows, [Columns, Status], Lines).

line(Y, Size, Fox, Geese, Line) :-
    Number is Y + 1,
    findall(Mark, ( between(1, Size, Column), X is Column - 1, mark(X, Y, Fox, Geese, Mark) ),
            Marks),
    atomic_list_concat([Number|Marks], ' ', Line).

mark(X, Y, Fox, Geese, Mark) :-
    Bit is 1 << (Y // 2 * 9 + Y mod 2 * 5 + X // 2),
    (   (X + Y) mod 2 =:= 1
    ->  Mark = ' '
    ;   Fox =:= Bit
    ->  Mark = f
    ;   Geese /\ Bit =\= 0
    ->  Mark = g
    ;   Mark = '.'
    ).
