% Endings of chess: few men on a board of 8 by 8.  A square is s(File, Rank), both from 1
% to 8; a man is Letter-Square, its letter as in FEN.

:- module(endings, [
    square/1,
    square_name/2,
    label/3,
    king_step/2,
    rook_step/2,
    bishop_step/2,
    queen_step/2,
    touching/2,
    straight/2,
    diagonal/2,
    shields/3,
    inside/3,
    distance/3,
    steps/3,
    on_edge/1,
    men_lines/3,
    write_men/3,
    read_men/3
]).
:- use_module(library(fen)).

%! square(?S)
%  Enumerates the squares, file by file.
square(s(X, Y)) :-
    between(1, 8, X),
    between(1, 8, Y).

%! square_name(+S, -Name)
%  As e4.
square_name(s(X, Y), Name) :-
    file(X, A),
    atom_concat(A, Y, Name).

%! label(+From, +To, -Label)
%  A move as UCI names it: e2e4.
label(s(X, Y), s(X1, Y1), Label) :-
    file(X, A),
    file(X1, A1),
    atomic_list_concat([A, Y, A1, Y1], Label).

file(1, a).
file(2, b).
file(3, c).
file(4, d).
file(5, e).
file(6, f).
file(7, g).
file(8, h).

%! king_step(+From, -To)
%  Steps of a king on an empty board: the diagonal ones first, then left and right, then up
%  and down.  That is the order of Bratko's textbook; its advice on king and rook needs it.
king_step(s(X, Y), s(X1, Y1)) :-
    beside(X, X1),
    beside(Y, Y1).
king_step(s(X, Y), s(X1, Y)) :-
    beside(X, X1).
king_step(s(X, Y), s(X, Y1)) :-
    beside(Y, Y1).

beside(1, 2).
beside(2, 3). beside(2, 1).
beside(3, 4). beside(3, 2).
beside(4, 5). beside(4, 3).
beside(5, 6). beside(5, 4).
beside(6, 7). beside(6, 5).
beside(7, 8). beside(7, 6).
beside(8, 7).

%! rook_step(+From, -To)
%  Moves of a rook on an empty board, in the order of the same book.
rook_step(s(X, Y), To) :-
    between(1, 8, I),
    (   I =\= Y,
        To = s(X, I)
    ;   I =\= X,
        To = s(I, Y)
    ).

%! bishop_step(+From, -To)
%  Moves of a bishop on an empty board.
bishop_step(s(X, Y), s(X1, Y1)) :-
    between(1, 8, X1),
    X1 =\= X,
    (   Y1 is Y + X1 - X
    ;   Y1 is Y - X1 + X
    ),
    Y1 >= 1,
    Y1 =< 8.

%! queen_step(+From, -To)
%  Moves of a queen on an empty board: those of a rook, then those of a bishop.
queen_step(From, To) :-
    rook_step(From, To).
queen_step(From, To) :-
    bishop_step(From, To).

%! touching(+A, +B)
%  A king's step apart, or the same square.
touching(s(X, Y), s(X1, Y1)) :-
    near(X, X1),
    near(Y, Y1).

near(1, 1). near(1, 2).
near(2, 1). near(2, 2). near(2, 3).
near(3, 2). near(3, 3). near(3, 4).
near(4, 3). near(4, 4). near(4, 5).
near(5, 4). near(5, 5). near(5, 6).
near(6, 5). near(6, 6). near(6, 7).
near(7, 6). near(7, 7). near(7, 8).
near(8, 7). near(8, 8).

%! straight(+A, +B)
%  Two squares of one file or rank.
straight(s(X, Y), s(X1, Y1)) :-
    (   X =:= X1
    ->  Y =\= Y1
    ;   Y =:= Y1
    ).

%! diagonal(+A, +B)
%  Two squares of one diagonal.
diagonal(s(X, Y), s(X1, Y1)) :-
    X =\= X1,
    abs(X - X1) =:= abs(Y - Y1).

%! shields(+S, +A, +B)
%  S lies between A and B, which are straight or diagonal to each other.
shields(s(X, Y), s(A, B), s(C, D)) :-
    (   A =:= C
    ->  X =:= A,
        inside(Y, B, D)
    ;   inside(X, A, C),
        (X - A) * (D - B) =:= (Y - B) * (C - A)
    ).

%! inside(+N, +A, +B)
%  The number N lies between A and B, and is neither.
inside(N, A, B) :-
    (   A < B
    ->  A < N,
        N < B
    ;   B < N,
        N < A
    ).

%! distance(+A, +B, -N)
%  How many moves a king needs from A to B.
distance(s(A, B), s(C, D), N) :-
    N is max(abs(A - C), abs(B - D)).

%! steps(+A, +B, -N)
%  The same for one that steps along files and ranks only.
steps(s(A, B), s(C, D), N) :-
    N is abs(A - C) + abs(B - D).

%! on_edge(+S)
%  S is on the edge of the board.
on_edge(s(X, Y)) :-
    ( X =:= 1 ; X =:= 8 ; Y =:= 1 ; Y =:= 8 ),
    !.

%! men_lines(+Men, +Side, -Lines)
%  A picture of the board, and below it who is to move: Side is w or b.  A man that stands on
%  no square, as 'R'-none, is not in it.
men_lines(Men, Side, Lines) :-
    ranks(Men, Ranks),
    rank_lines(Ranks, Picture),
    side_name(Side, Name),
    atom_concat(Name, ' to move', Status),
    append(Picture, [Status], Lines).

ranks(Men, Ranks) :-
    findall(Rank, ( between(1, 8, Row), Y is 9 - Row, rank(Men, Y, Rank) ), Ranks).

rank(Men, Y, Rank) :-
    findall(Cell, ( between(1, 8, X), cell(Men, s(X, Y), Cell) ), Rank).

cell(Men, S, Cell) :-
    (   member(Man-S, Men)
    ->  Cell = Man
    ;   Cell = '.'
    ).

side_name(w, 'White').
side_name(b, 'Black').

%! write_men(+Men, +Side, -Text)
%  The board as FEN.  The clocks are no part of a position: 0 and 1 are written.
write_men(Men, Side, Text) :-
    ranks(Men, Ranks),
    write_fen(Ranks, [Side, -, -, 0, 1], Text).

%! read_men(+Text, -Men, -Side)
%  The way back; Men are in the standard order of terms, White's before Black's.
read_men(Text, Men, Side) :-
    read_fen(Text, Ranks, [Side, -, -, _, _]),
    side_name(Side, _),
    findall(Man-s(X, Y), man_at(Ranks, Man, X, Y), Found),
    msort(Found, Men).
