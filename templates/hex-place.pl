% NAME: place stones on a hexagon; three neighbours of the other colour turn a stone over.
%
% The rules: x begins, and x and o place one stone in turn on an empty cell. Then each stone of
% the other player next to the new stone changes its colour, if three or more of its neighbours
% have the colour of the new stone. The game ends when the board is full. The player with more
% stones wins. The number of cells is odd, so there is no draw.

:- use_module(library(alphorn)).
:- use_module(library(grid)).

% Change these numbers first: name, value, lowest..highest, meaning.
:- param(size, 4, 2..6, "cells along each side of the hexagon").
:- param(crowd, 3, 2..6, "neighbours that turn a stone over").
% The weights of the evaluation.
:- param(stone, 10, 0..100, "worth of a stone").
:- param(threat, 3, 0..100, "worth of a stone of the other player that one more stone turns over").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 37).
:- expect(perft(2) = 1332).
:- expect(holds((stones([c4, d3], [d4], B), move(pos(x, B), e4, pos(o, Next)),
                 stones([c4, d3, d4, e4], [], Next)))).
:- expect(holds((stones([c4, d3, f3], [d4, e3], B), best(pos(x, B), 1, e4)))).
:- expect(holds((stones([c4, d3], [d4], B), value(pos(x, B), 1, 40)))).
:- expect(fails((stones([c4, d3], [d4], B), move(pos(x, B), d4, _)))).
:- expect(fails((stones([], [], B), move(pos(x, B), a1, _)))).

% A position is pos(Player to move, Board). The board has one argument for each cell of a square
% of Width by Width cells: x, o, e (empty), or off, if the cell is not on the hexagon. Cell c4 is
% in column c and row 4, and its neighbours are b4, d4, c3, c5, b5 and d3.
initial(pos(x, Board)) :-
    stones([], [], Board).

width(Width) :-
    param(size, Size),
    Width is 2 * Size - 1.

% stones(Xs, Os, Board): the board with stones on these cells, such as [c4, d3].
stones(Xs, Os, Board) :-
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

% A move is the name of a cell: c4.
move(pos(Player, Board), Name, pos(Other, Next)) :-
    other(Player, Other),
    width(Width),
    args_with(Board, e, I),
    put_arg(I, Board, Player, Placed),
    findall(J-Player, turns(Placed, I, Player, Other, J), Changes),
    put_args(Placed, Changes, Next),
    square_name(Width, I, Name).

% The stone on cell J turns over after Player has placed a stone on cell I.
turns(Board, I, Player, Other, J) :-
    param(crowd, Crowd),
    next_to(I, J),
    arg(J, Board, Other),
    count(Board, J, Player, Count),
    Count >= Crowd.

% Count is the number of neighbours of cell I that are stones of Player.
count(Board, I, Player, Count) :-
    aggregate_all(count, ( next_to(I, J), arg(J, Board, Player) ), Count).

terminal(pos(_, Board)) :-
    \+ args_with(Board, e, _).

outcome(pos(_, Board), win(max)) :- lead(Board, Lead), Lead > 0.
outcome(pos(_, Board), win(min)) :- lead(Board, Lead), Lead < 0.

% Lead is the number of stones of x minus the number of stones of o.
lead(Board, Lead) :-
    aggregate_all(count, args_with(Board, x, _), Xs),
    aggregate_all(count, args_with(Board, o, _), Os),
    Lead is Xs - Os.

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(_, Board), Value) :-
    param(stone, Stone),
    param(threat, Threat),
    lead(Board, Lead),
    aggregate_all(count, threat(Board, x, o), Xs),
    aggregate_all(count, threat(Board, o, x), Os),
    Value is Stone * Lead + Threat * (Xs - Os).

threat(Board, Player, Other) :-
    param(crowd, Crowd),
    args_with(Board, Other, I),
    count(Board, I, Player, Count),
    Count + 1 >= Crowd,
    next_to(I, J),
    arg(J, Board, e).

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
        arg(I, Board, Cell),
        picture(Cell, Mark)
    ).

picture(e, '.').
picture(x, x).
picture(o, o).
