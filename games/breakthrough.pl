% Breakthrough: a man steps one cell straight or diagonally forward and captures only
% diagonally; whoever reaches the far row, or takes all men, wins.  Source: D. Troyka, 2000.

:- use_module(library(alphorn)).
:- use_module(library(grid)).
:- use_module(library(board)).

:- param(width, 6, 2..10, "number of columns").
:- param(height, 6, 3..10, "number of rows").
:- param(rows, 2, 1..4, "rows of men on each side, at most half the height").
:- param(man, 10, 0..100, "what a man is worth to static_eval/2").
:- param(step, 1, 0..20, "what the square of the rows that a man has advanced is worth").

:- expect(perft(1) = 16).
:- expect(perft(2) = 256).
:- expect(perft(3) = 4308).
:- expect(best(pos(x, b(e,e,e,e,e,e, x,e,e,e,e,e, e,e,e,e,e,e,
                        e,e,e,e,e,e, x,e,e,e,e,e, o,o,e,o,o,o)), 1) = a5-b6).
:- expect(value(pos(o, b(e,e,e,e,e,e, o,e,e,e,e,e, e,e,e,e,e,e,
                         e,e,e,e,e,e, e,x,e,e,e,e, o,o,o,o,o,o)), 1) = -999999).

% pos(Player to move, Board): x (MAX, moves up), o or e (empty) in cells numbered row
% by row from the bottom.
initial(pos(x, Board)) :-
    param(width, Width),
    param(height, Height),
    param(rows, Rows),
    Size is Width * Height,
    Xs is Width * Rows,
    Os is Size - Xs,
    findall(Cell, ( between(1, Size, I), at_start(I, Xs, Os, Cell) ), Cells),
    Board =.. [b|Cells].

at_start(I, Xs, Os, Cell) :-
    (   I =< Xs
    ->  Cell = x
    ;   I > Os
    ->  Cell = o
    ;   Cell = e
    ).

max_to_move(pos(x, _)).

% A move is written as the names of two squares, b2-c3.
move(pos(Player, Board), Start-End, pos(Other, Next)) :-
    side(Player, Other, DY, _),
    param(width, Width),
    param(height, Height),
    args_with(Board, Player, From),
    between(-1, 1, DX),
    step(Width, Height, From, DX, DY, To),
    arg(To, Board, Cell),
    may_enter(Cell, Other, DX),
    put_args(Board, [From-e, To-Player], Next),
    square_name(Width, From, Start),
    square_name(Width, To, End).

may_enter(Cell, Other, DX) :-
    (   Cell == e
    ->  true
    ;   Cell == Other,
        DX =\= 0
    ).

terminal(Pos) :-
    outcome(Pos, _).

% Only the player who has just moved can have won.
outcome(pos(Player, Board), win(Winner)) :-
    side(Player, Other, _, _),
    (   arrived(Other, Board)
    ->  true
    ;   \+ args_with(Board, Player, _)
    ),
    side(Other, _, _, Winner).

% A man of Player stands on the row farthest from its own side.
arrived(Player, Board) :-
    param(width, Width),
    far_row(Player, Width, First),
    Last is First + Width - 1,
    between(First, Last, I),
    arg(I, Board, Player),
    !.

far_row(o, _, 1).
far_row(x, Width, First) :-
    param(height, Height),
    First is Width * (Height - 1) + 1.

side(x, o, 1, max).
side(o, x, -1, min).

% A man is worth 10 and the square of the rows it has advanced, unless parameters say otherwise.
static_eval(Pos, Value) :-
    (   outcome(Pos, win(Winner))
    ->  win_value(Winner, Value)
    ;   Pos = pos(_, Board),
        param(width, Width),
        param(height, Height),
        param(man, Man),
        param(step, Step),
        men(1, Board, Width, Height, Man, Step, 0, Value)
    ).

win_value(max, 10000).
win_value(min, -10000).

men(I, Board, Width, Height, Man, Step, Value0, Value) :-
    (   arg(I, Board, Cell)
    ->  man(Cell, I, Width, Height, Man, Step, Worth),
        Value1 is Value0 + Worth,
        I1 is I + 1,
        men(I1, Board, Width, Height, Man, Step, Value1, Value)
    ;   Value = Value0
    ).

man(e, _, _, _, _, _, 0).
man(x, I, Width, _, Man, Step, Worth) :-
    Rows is (I - 1) // Width,
    Worth is Man + Step * Rows * Rows.
man(o, I, Width, Height, Man, Step, Worth) :-
    Rows is Height - 1 - (I - 1) // Width,
    Worth is -Man - Step * Rows * Rows.

value_range(-10000, 10000).
acyclic.

show(pos(_, Board), Lines) :-
    param(width, Width),
    board_lines(Board, Width, Lines).
