% Domineering: V (MAX) places dominoes upright, H across; whoever cannot place one loses.
% Source: G. Andersson; J. Conway, On Numbers and Games, 1976.

:- use_module(library(alphorn)).
:- use_module(library(grid)).
:- use_module(library(board)).

:- param(rows, 4, 1..8, "height of the board").
:- param(columns, 4, 1..8, "width of the board").

:- expect(perft(1) = 12).
:- expect(perft(2) = 108).
:- expect(value = 999993).
:- expect(value(pos(h, b(e,e,e,e, e,e,e,e, e,e,e,e, e,e,e,e))) = -999993).
:- expect(value(pos(v, b(v,h,h,e, v,e,e,v, h,h,e,v, e,h,h,e)), 3) = 999999).
:- expect(best(pos(v, b(v,h,h,e, v,e,e,v, h,h,e,v, e,h,h,e)), 3) = c2-c3).

% pos(Player to move, Board): v, h or e (empty) in cells numbered row by row.
% The second opening lets H begin.
initial(pos(Player, Board)) :-
    member(Player, [v, h]),
    param(rows, Rows),
    param(columns, Columns),
    Size is Rows * Columns,
    length(Cells, Size),
    maplist(=(e), Cells),
    Board =.. [b|Cells].

max_to_move(pos(v, _)).

% A move is written as the two squares that the domino covers, b1-b2.
move(pos(Player, Board), Start-End, pos(Other, Next)) :-
    other(Player, Other),
    param(columns, Columns),
    room(Player, Board, Columns, I, J),
    put_args(Board, [I-Player, J-Player], Next),
    square_name(Columns, I, Start),
    square_name(Columns, J, End).

% Cells I and J are free for a domino of Player.
room(v, Board, Columns, I, J) :-
    args_with(Board, e, I),
    J is I + Columns,
    arg(J, Board, e).
room(h, Board, Columns, I, J) :-
    args_with(Board, e, I),
    I mod Columns =\= 0,
    J is I + 1,
    arg(J, Board, e).

no_moves(loss).

% The places that V has left, less those of H.
static_eval(pos(_, Board), Value) :-
    param(columns, Columns),
    aggregate_all(count, room(v, Board, Columns, _, _), Vs),
    aggregate_all(count, room(h, Board, Columns, _, _), Hs),
    Value is Vs - Hs.

value_range(-1000, 1000).
acyclic.

other(v, h).
other(h, v).

show(pos(_, Board), Lines) :-
    param(columns, Columns),
    board_lines(Board, Columns, Lines).
