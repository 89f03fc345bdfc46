% Othello (Reversi): a disc must outflank discs of the other side, which turn over; who
% cannot place passes; the majority wins.  Source: L. Waterman and J. Mollett, 1883.

:- use_module(library(alphorn)).
:- use_module(library(grid)).
:- use_module(library(board)).

:- param(size, 8, [4, 6, 8], "side of the board").

:- expect(perft(1) = 4).
:- expect(perft(2) = 12).
:- expect(perft(3) = 56).
:- expect(perft(4) = 244).
:- expect(perft(7) = 55092).
:- expect(holds((initial(Pos), findall(Move, move(Pos, Move, _), [d3, c4, f5, e6])))).
:- expect(holds(flips(b(e,x,x,o, e,e,e,e), 4, 2, 1, o, [2, 3]))).

% pos(Player to move, Board): x (MAX), o or e (empty) in cells numbered row by row.
initial(pos(x, Board)) :-
    param(size, Size),
    Cells is Size * Size,
    length(Empty, Cells),
    maplist(=(e), Empty),
    Start =.. [b|Empty],
    I is Size * (Size // 2 - 1) + Size // 2,
    Right is I + 1,
    Below is I + Size,
    Across is I + Size + 1,
    put_args(Start, [I-o, Right-x, Below-x, Across-o], Board).

max_to_move(pos(x, _)).

% A move is the name of a square, c4, or pass.
move(pos(Player, Board), Move, pos(Other, Next)) :-
    other(Player, Other),
    param(size, Size),
    (   place(Board, Size, Player, Move, Next)
    *-> true
    ;   can_place(Board, Size, Other),
        Move = pass,
        Next = Board
    ).

place(Board, Size, Player, Square, Next) :-
    args_with(Board, e, I),
    flips(Board, Size, Size, I, Player, Cells),
    fill(Board, [I|Cells], Player, Next),
    square_name(Size, I, Square).

can_place(Board, Size, Player) :-
    args_with(Board, e, I),
    direction(DX, DY),
    outflank(Board, Size, Size, I, DX, DY, Player, _),
    !.

terminal(pos(_, Board)) :-
    param(size, Size),
    \+ can_place(Board, Size, x),
    \+ can_place(Board, Size, o).

outcome(pos(Player, Board), score(Score)) :-
    terminal(pos(Player, Board)),
    score(Board, Score).

score(Board, Score) :-
    aggregate_all(count, args_with(Board, x, _), Xs),
    aggregate_all(count, args_with(Board, o, _), Os),
    Score is Xs - Os.

static_eval(Pos, Value) :-
    Pos = pos(_, Board),
    (   terminal(Pos)
    ->  score(Board, Value)
    ;   param(size, Size),
        weights(Size, Weights),
        weigh(1, Board, Weights, 0, Value)
    ).

weigh(I, Board, Weights, Value0, Value) :-
    (   arg(I, Board, Cell)
    ->  arg(I, Weights, Weight),
        weight(Cell, Weight, Worth),
        Value1 is Value0 + Worth,
        I1 is I + 1,
        weigh(I1, Board, Weights, Value1, Value)
    ;   Value = Value0
    ).

weight(e, _, 0).
weight(x, Weight, Weight).
weight(o, Weight, Worth) :-
    Worth is -Weight.

% What a disc is worth where it stands, in discs: corners can never be turned over,
% and their neighbours give them away.
weights(4, w(5, 1, 1, 5,
             1, 0, 0, 1,
             1, 0, 0, 1,
             5, 1, 1, 5)).
weights(6, w( 8,-2, 1, 1,-2, 8,
             -2,-4, 0, 0,-4,-2,
              1, 0, 0, 0, 0, 1,
              1, 0, 0, 0, 0, 1,
             -2,-4, 0, 0,-4,-2,
              8,-2, 1, 1,-2, 8)).
weights(8, w(10,-2, 1, 1, 1, 1,-2,10,
             -2,-5, 0, 0, 0, 0,-5,-2,
              1, 0, 0, 0, 0, 0, 0, 1,
              1, 0, 0, 0, 0, 0, 0, 1,
              1, 0, 0, 0, 0, 0, 0, 1,
              1, 0, 0, 0, 0, 0, 0, 1,
             -2,-5, 0, 0, 0, 0,-5,-2,
             10,-2, 1, 1, 1, 1,-2,10)).

value_range(-64, 64).
acyclic.

other(x, o).
other(o, x).

% Row 1 is at the top, as Othello players have it.
show(pos(_, Board), Lines) :-
    param(size, Size),
    board_lines(Board, Size, Upward),
    reverse(Upward, Lines).
