% NAME: place stones next to each other; three or four in a row score points.
%
% The rules: x begins, and x and o place one stone in turn on an empty cell. Every stone but the
% first must touch another stone of any colour, at an edge or a corner. A new stone that stands in
% a row of three stones of its colour scores 1 point, in a row of four or more 3 points. The game
% ends when each player has placed ten stones. The player with more points wins.

:- use_module(library(alphorn)).
:- use_module(library(board)).
:- use_module(library(grid)).
:- use_module(library(lines)).

% Change these numbers first: name, value, lowest..highest, meaning.
:- param(size, 8, 4..12, "cells along each side").
:- param(stones, 10, 2..30, "stones of each player").
:- param(three, 1, 0..20, "points for a row of three").
:- param(four, 3, 0..20, "points for a row of four or more").
% The weights of the evaluation.
:- param(point, 10, 0..100, "worth of a point").
:- param(pair, 3, 0..100, "worth of two stones in a row with an empty cell behind them").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 64).
:- expect(perft(2) = 420).
:- expect(holds((stones([b3, c3, d3], [], B), move(pos(x, B, 5, 0), e3, pos(o, _, 4, 3))))).
:- expect(holds((stones([c3, d3], [c4, d4], B), value(pos(x, B, 1, 0), 1, 999999)))).
:- expect(holds((stones([c3, d3, a5], [b3, c4], B), best(pos(x, B, 1, 0), 1, e3)))).
:- expect(holds((stones([c3, d3], [], B), outcome(pos(x, B, 0, 0), draw)))).
:- expect(fails((stones([c3], [c4], B), move(pos(x, B, 5, 0), a1, _)))).

% A position is pos(Player to move, Board, Stones still to place, Lead). Lead is the points of x
% minus the points of o. The board has one argument for each cell: x, o, or e if it is empty.
initial(pos(x, Board, Left, 0)) :-
    stones([], [], Board),
    param(size, Size),
    param(stones, Stones),
    Left is min(2 * Stones, Size * Size).

% stones(Xs, Os, Board): the board with stones on these cells, such as [c3, d3].
stones(Xs, Os, Board) :-
    param(size, Size),
    findall(e, on_grid(Size, Size, _, _), Cells),
    Empty =.. [b|Cells],
    findall(I-x, ( member(Name, Xs), square_name(Size, I, Name) ), Changes),
    findall(I-o, ( member(Name, Os), square_name(Size, I, Name) ), More),
    put_args(Empty, Changes, Board1),
    put_args(Board1, More, Board).

% MAX plays x, MIN plays o.
max_to_move(pos(x, _, _, _)).

% A move is the name of a cell: c4.
move(pos(Player, Board, Left, Lead), Name, pos(Other, Next, Left1, Lead1)) :-
    side(Player, Other, Sign),
    param(size, Size),
    args_with(Board, e, I),
    may_place(Board, Size, I),
    put_arg(I, Board, Player, Next),
    points(Next, Size, I, Player, Points),
    Lead1 is Lead + Sign * Points,
    Left1 is Left - 1,
    square_name(Size, I, Name).

side(x, o, 1).
side(o, x, -1).

% Where a stone may stand: next to another stone, or anywhere on the empty board.
may_place(Board, Size, I) :-
    (   touching(Size, Size, I, J),
        \+ arg(J, Board, e)
    ->  true
    ;   \+ args_with(Board, x, _),
        \+ args_with(Board, o, _)
    ).

% The points for a new stone on cell I. A bonus for other shapes goes here.
points(Board, Size, I, Player, Points) :-
    (   in_a_row_at(Board, Size, Size, 4, Player, I)
    ->  param(four, Points)
    ;   in_a_row_at(Board, Size, Size, 3, Player, I)
    ->  param(three, Points)
    ;   Points = 0
    ).

terminal(pos(_, _, 0, _)).

outcome(pos(_, _, _, Lead), win(max)) :- Lead > 0.
outcome(pos(_, _, _, Lead), win(min)) :- Lead < 0.
outcome(pos(_, _, _, 0), draw).

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(_, Board, _, Lead), Value) :-
    param(point, Point),
    param(pair, Pair),
    aggregate_all(count, pair(Board, x), Xs),
    aggregate_all(count, pair(Board, o), Os),
    Value is Point * Lead + Pair * (Xs - Os).

pair(Board, Player) :-
    param(size, Size),
    args_with(Board, Player, I),
    direction(DX, DY),
    step(Size, Size, I, DX, DY, J),
    arg(J, Board, Player),
    step(Size, Size, J, DX, DY, K),
    arg(K, Board, e).

% No position occurs twice in a game.
acyclic.

show(pos(_, Board, Left, Lead), Lines) :-
    param(size, Size),
    board_lines(Board, Size, Rows),
    atomic_list_concat(['stones left: ', Left, ', lead of x: ', Lead], Status),
    append(Rows, [Status], Lines).
