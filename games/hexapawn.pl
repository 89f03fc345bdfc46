% Hexapawn: pawns step straight ahead and capture diagonally; whoever reaches the far
% row, or leaves the other without a move, wins.  Source: M. Gardner, 1962.

:- use_module(library(alphorn)).
:- use_module(library(grid)).
:- use_module(library(board)).

:- param(width, 3, 2..8, "number of columns").
:- param(height, 3, 3..8, "number of rows").

:- expect(perft(1) = 3).
:- expect(perft(2) = 10).
:- expect(perft(3) = 28).
:- expect(perft(6) = 64).
:- expect(value = -999994).
:- expect(value(pos(o, b(e,x,x, x,e,e, o,o,o))) = -999997).
:- expect(best(pos(x, b(e,e,x, x,e,o, e,e,e)), 1) = a2-a3).
:- expect(holds(move(pos(x, b(x,x,x, e,e,o, o,o,e)), b1-c2, _))).
:- expect(fails(move(pos(x, b(x,x,x, e,e,o, o,o,e)), c1-c2, _))).

% pos(Player to move, Board): x (MAX, moves up), o or e (empty) in cells numbered row
% by row from the bottom.
initial(pos(x, Board)) :-
    param(width, Width),
    param(height, Height),
    Size is Width * Height,
    Os is Size - Width,
    findall(Cell, ( between(1, Size, I), at_start(I, Width, Os, Cell) ), Cells),
    Board =.. [b|Cells].

at_start(I, Xs, Os, Cell) :-
    (   I =< Xs
    ->  Cell = x
    ;   I > Os
    ->  Cell = o
    ;   Cell = e
    ).

max_to_move(pos(x, _)).

% A move is written as the names of two squares, b1-b2.
move(pos(Player, Board), Start-End, pos(Other, Next)) :-
    side(Player, Other, DY),
    param(width, Width),
    param(height, Height),
    args_with(Board, Player, From),
    pawn_step(Board, Width, Height, From, DY, Other, To),
    put_args(Board, [From-e, To-Player], Next),
    square_name(Width, From, Start),
    square_name(Width, To, End).

pawn_step(Board, Width, Height, From, DY, Other, To) :-
    pawn_direction(DX, Other, Cell),
    step(Width, Height, From, DX, DY, To),
    arg(To, Board, Cell).

% What must be on the cell that a pawn enters.
pawn_direction(-1, Other, Other).
pawn_direction(0, _, e).
pawn_direction(1, Other, Other).

side(x, o, 1).
side(o, x, -1).

terminal(Pos) :-
    outcome(Pos, _).

outcome(pos(o, Board), win(max)) :-
    functor(Board, _, Last),
    param(width, Width),
    First is Last - Width + 1,
    between(First, Last, I),
    arg(I, Board, x),
    !.
outcome(pos(x, Board), win(min)) :-
    param(width, Width),
    between(1, Width, I),
    arg(I, Board, o),
    !.

no_moves(loss).

% Short enough to be played to the end: no estimate.
static_eval(Pos, Value) :-
    (   outcome(Pos, win(Winner))
    ->  win_value(Winner, Value)
    ;   Value = 0
    ).

win_value(max, 1).
win_value(min, -1).

value_range(-1, 1).
acyclic.

show(pos(_, Board), Lines) :-
    param(width, Width),
    board_lines(Board, Width, Lines).
