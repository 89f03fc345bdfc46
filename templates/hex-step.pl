% NAME: step on a hexagon; cells that men leave sink, and who cannot move loses.
%
% The rules: x begins, and each player has three men on corners of the hexagon. A man steps to an
% empty neighbour cell. The cell that the man leaves sinks: nobody can go to that cell any more.
% A player who cannot move loses.

:- use_module(library(alphorn)).
:- use_module(library(grid)).

% Change this number first: name, value, lowest..highest, meaning.
:- param(size, 4, 2..6, "cells along each side of the hexagon").
% The weights of the evaluation.
:- param(step, 3, 0..100, "worth of a step that a man can make").
:- param(stuck, 10, 0..100, "cost of a man that cannot move").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 9).
:- expect(perft(2) = 81).
:- expect(holds((men([d1], [g1], B), findall(M, move(pos(x, B), M, _), Ms),
                 msort(Ms, [d1-c2, d1-d2, d1-e1])))).
:- expect(holds((men([d4], [d1], B), move(pos(x, B), d4-e4, pos(o, Next)),
                 \+ move(pos(x, Next), e4-d4, _)))).
:- expect(holds((men([c2, d2, f1], [d1], B), best(pos(x, B), 1, f1-e1)))).
:- expect(holds((men([d1], [c2, d2, e1], B), outcome(pos(x, B), win(min))))).
:- expect(fails((men([d1], [e1], B), move(pos(x, B), d1-e1, _)))).

% A position is pos(Player to move, Board). The board has one argument for each cell of a square
% of Width by Width cells: x, o, e (empty), or off, if the cell is not on the hexagon or has sunk.
% Cell c4 is in column c and row 4, and its neighbours are b4, d4, c3, c5, b5 and d3.
initial(pos(x, Board)) :-
    param(size, Size),
    width(Width),
    findall(Name, ( corner(Size, Width, X, Y), cell(Width, X, Y, I), square_name(Width, I, Name) ),
            [A, B, C, D, E, F]),
    men([A, C, E], [B, D, F], Board).

% The corners of the hexagon, around the board. Other places for the men go here.
corner(Size, _, Size, 1).
corner(_, Width, Width, 1).
corner(Size, Width, Width, Size).
corner(Size, Width, Size, Width).
corner(_, Width, 1, Width).
corner(Size, _, 1, Size).

width(Width) :-
    param(size, Size),
    Width is 2 * Size - 1.

% men(Xs, Os, Board): the board with men on these cells, such as [c4, d3].
men(Xs, Os, Board) :-
    width(Width),
    findall(Cell, ( on_grid(Width, Width, X, Y), start(X, Y, Cell) ), Cells),
    Empty =.. [b|Cells],
    findall(I-x, ( member(Name, Xs), square_name(Width, I, Name) ), Changes),
    findall(I-o, ( member(Name, Os), square_name(Width, I, Name) ), More),
    put_args(Empty, Changes, Board1),
    put_args(Board1, More, Board).

% The cells of the hexagon are empty at the start. A hole in the board goes here.
start(X, Y, Cell) :-
    param(size, Size),
    (   abs(X + Y - 2 * Size) < Size
    ->  Cell = e
    ;   Cell = off
    ).

% J is one of the six neighbours of cell I.
next_to(I, J) :-
    width(Width),
    hex_direction(DX, DY),
    step(Width, Width, I, DX, DY, J).

hex_direction(1, 0).
hex_direction(0, 1).
hex_direction(-1, 1).
hex_direction(-1, 0).
hex_direction(0, -1).
hex_direction(1, -1).

% MAX plays x, MIN plays o.
max_to_move(pos(x, _)).

other(x, o).
other(o, x).

% A move is written as two cells: c4-c5.
move(pos(Player, Board), Start-End, pos(Other, Next)) :-
    other(Player, Other),
    step(Board, Player, From, To),
    put_args(Board, [From-off, To-Player], Next),
    width(Width),
    square_name(Width, From, Start),
    square_name(Width, To, End).

% From and To are the cells of a step. Another kind of move goes here.
step(Board, Player, From, To) :-
    args_with(Board, Player, From),
    next_to(From, To),
    arg(To, Board, e).

terminal(pos(Player, Board)) :-
    \+ step(Board, Player, _, _).

outcome(pos(x, _), win(min)).
outcome(pos(o, _), win(max)).

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(_, Board), Value) :-
    worth(Board, x, Xs),
    worth(Board, o, Os),
    Value is Xs - Os.

worth(Board, Player, Worth) :-
    param(step, Step),
    param(stuck, Stuck),
    aggregate_all(count, step(Board, Player, _, _), Steps),
    aggregate_all(count, stuck(Board, Player), Men),
    Worth is Step * Steps - Stuck * Men.

stuck(Board, Player) :-
    args_with(Board, Player, I),
    \+ (next_to(I, J), arg(J, Board, e)).

% No position occurs twice in a game.
acyclic.

% Columns run to the upper right. The letter of a column stands below its first cell.
show(pos(_, Board), Lines) :-
    width(Width),
    findall(Line, ( between(0, Width, Down), Y is Width - Down, line(Y, Board, Line) ), Lines).

line(Y, Board, Line) :-
    width(Width),
    findall(Mark, ( between(1, Width, X), mark(X, Y, Width, Board, Mark) ), Marks),
    atomic_list_concat(Marks, ' ', Text),
    ( Y =:= 0 -> Number = ' ' ; Number = Y ),
    Column is Y + 3,
    format(atom(Line), "~t~w~2|~t~*|~w", [Number, Column, Text]).

mark(X, Y, Width, Board, Mark) :-
    param(size, Size),
    (   X + Y < Size
    ->  Mark = ' '
    ;   ( Y =:= 0 ; X + Y =:= Size )
    ->  square_name(Width, X, Name),
        sub_atom(Name, 0, 1, _, Mark)
    ;   cell(Width, X, Y, I),
        X + Y < 3 * Size,
        arg(I, Board, Cell),
        picture(Cell, Mark)
    ).

picture(e, '.').
picture(x, x).
picture(o, o).
picture(off, ' ').
