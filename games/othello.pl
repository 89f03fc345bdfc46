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
    place_of(Board, Size, Player),
    !.

% Succeeds once for each cell that Player may take.
place_of(Board, Size, Player) :-
    args_with(Board, e, I),
    outflanks(Board, Size, I, Player).

outflanks(Board, Size, I, Player) :-
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

% What the discs are worth where they stand, and four for each place to play that a side has more
% (Paul Rosenbloom, "A world-championship-level Othello program", 1982: mobility).
static_eval(pos(_, Board), Value) :-
    param(size, Size),
    aggregate_all(count, place_of(Board, Size, x), Xs),
    aggregate_all(count, place_of(Board, Size, o), Os),
    (   Xs + Os =:= 0
    ->  score(Board, Value)
    ;   weights(Size, Weights),
        weigh(1, Board, Weights, 0, Value0),
        Value is Value0 + 4 * (Xs - Os)
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

value_range(-250, 250).
acyclic.

other(x, o).
other(o, x).

% Row 1 is at the top, as Othello players have it.
show(pos(_, Board), Lines) :-
    param(size, Size),
    board_lines(Board, Size, Upward),
    reverse(Upward, Lines).

% Ordering advice: what the disc and those it turns over gain by the weights above, less what the
% other side could gain at once by turning it over again from just behind it.  So corners come
% first and their neighbours last (Paul Rosenbloom, "A world-championship-level Othello program",
% 1982: stability), and moves that open few replies before others (mobility).
prefer(pos(Player, Board), Square, Weight) :-
    atom_codes(Square, Codes),
    Codes = [Letter, Digit],
    param(size, Size),
    I is (Digit - 0'1) * Size + Letter - 0'a + 1,
    weights(Size, Weights),
    arg(I, Weights, Worth),
    directions(Directions),
    prospects(Directions, I, on(Board, Size, Player, Weights), Worth, Weight).

directions([0-1, 1-1, 1-0, 1-(-1), 0-(-1), (-1)-(-1), (-1)-0, (-1)-1]).

prospects([], _, _, Weight, Weight).
prospects([DX-DY|Directions], I, On, Weight0, Weight) :-
    On = on(Board, Size, _, Weights),
    (   step(Size, Size, I, DX, DY, J),
        arg(J, Board, Cell),
        Cell \== e
    ->  (   gain(Cell, J, DX, DY, On, 0, Gain, K)
        ->  true
        ;   Gain = 0,
            K = J
        ),
        (   BX is -DX,
            BY is -DY,
            step(Size, Size, I, BX, BY, Behind),
            arg(Behind, Board, e),
            arg(Behind, Weights, There),
            arg(I, Weights, Here),
            Loss0 is There + 2 * Here + Gain,
            loss(K, DX, DY, On, Loss0, Loss),
            Loss > 0
        ->  Weight1 is Weight0 + Gain - Loss
        ;   Weight1 is Weight0 + Gain
        )
    ;   Weight1 = Weight0
    ),
    prospects(Directions, I, On, Weight1, Weight).

% gain(Cell, J, DX, DY, On, Gain0, Gain, K): the discs from J on, where Cell stands, turn over, for
% the line ends at K with a disc of the mover's; none, if one stands on J.
gain(Cell, J, DX, DY, On, Gain0, Gain, K) :-
    On = on(Board, Size, Player, Weights),
    (   Cell == Player
    ->  Gain = Gain0,
        K = J
    ;   Cell \== e,
        arg(J, Weights, Worth),
        Gain1 is Gain0 + 2 * Worth,
        step(Size, Size, J, DX, DY, Next),
        arg(Next, Board, Found),
        gain(Found, Next, DX, DY, On, Gain1, Gain, K)
    ).

% The discs of the mover's from J on could be turned over, for one of the other side's follows.
loss(J, DX, DY, On, Loss0, Loss) :-
    On = on(Board, Size, Player, Weights),
    arg(J, Board, Cell),
    (   Cell == Player
    ->  arg(J, Weights, Worth),
        Loss1 is Loss0 + 2 * Worth,
        step(Size, Size, J, DX, DY, Next),
        loss(Next, DX, DY, On, Loss1, Loss)
    ;   Cell \== e,
        Loss = Loss0
    ).

% Positions from the 6th ply to the 42nd: openings as players name them (Robert Gatliff's list),
% then play as a search to four plies had it (taken as they came).
sample(Name, Pos) :-
    line_of_play(Name, Squares),
    initial(Start),
    play(Squares, Start, Pos).

play('', Pos, Pos) :- !.
play(Squares, Pos0, Pos) :-
    sub_atom(Squares, 0, 2, _, Square),
    sub_atom(Squares, 2, _, 0, Rest),
    move(Pos0, Square, Pos1),
    play(Rest, Pos1, Pos).

line_of_play('Snake, ply 6', c4c3d3c5b3c2).
line_of_play('Cow, ply 8', c4c3d3c5d6e2f4e3).
line_of_play('Wing, ply 9', c4c3e6c5d3e3d2c1f2).
line_of_play('Perpendicular, ply 10', c4e3f2c3c2c5b6e2f5c6).
line_of_play('Mimura, ply 12', c4e3f4c5d6e6d3c2f3b3f2g3).
line_of_play('Shaman, ply 14', c4e3f4c5d6f3c6b3c3d3f2g3c2d1).
line_of_play('Swallow, ply 15', c4e3f5b4f3e6d3f4c5c6g3c2c3d2c1).
line_of_play('Iago, ply 16', c4e3f4c5d6f3d3c3f2f5f6e6b3c2d1c1).
line_of_play('Hokuriku Buffalo, ply 18', c4c3d3c5f6f5b3c2e3a4a3a2c1f2f3g3c6b4).
line_of_play('Lollipop, ply 20', c4c3d3c5b6e3c2b3a4a3a2c1f2e2f3d2e1f4b5f1).
line_of_play('Aubrey, ply 21', c4e3f6e6f5g6e7c5h6e8d6b3f8g8c3d3f4f7c2f3a3).
line_of_play('Rose, ply 22', c4e3f4c5d6f3e6c3d3e2f2g3e1f1g1e7h4h3h2g4f5c6).
line_of_play('Tanida Buffalo, ply 24', c4c3d3c5f6e3c6f5f4g5c2b3a4a3a2c1f2d2f3g3e1f1d1e2).
line_of_play('Bat, ply 26', c4c3d3c5d6f4b4a4a3a2c2b6c6e6c7b3a6c1d2d1e3c8b5f2f3g3).
line_of_play('F.A.T. Draw, ply 27', c4e3f6e6f5c5c3c6d3d2e2b3c1c2b4a3a5b5a6a4a2f1d1f2b6f3f4).
line_of_play('Sailboat, ply 28', c4c3d3c5d6f4f5d2g4d7c6h4h3h2d8g5d1e6c2c8b8b3a3c1b1c7g3f3).
line_of_play('Brightstein, ply 30', c4e3f4c5d6f3e6c3d3e2b6f5b4f6g5d7f1d1c8a3d2h4h6c2f2b3b5g3c1e1).
line_of_play('Rotating Flat, ply 32',
    c4e3f4c5d6f3e6c3d3e2b5f5f1d1f2d2e1g1c1b1c2b3b4a4f6f7a3a6g3g4h4h3).
line_of_play('Kung, ply 33', c4e3f6e6f5c5c3g5h4c2f2e2f4f3b5f1c1h6e1d2g1g4g3a5a6a7d1d3d6d7b3c6b6).
line_of_play('No-Kung, ply 34',
    c4e3f6e6f5c5c3b4d6c6b5a6b6c7c8e7a4a3a5b3f2d3d8f3f4f8d2e2d1f1c2d7f7g1).
line_of_play('Ishii, ply 36',
    c4e3f6e6f5c5f4g5g4f3c6d3d6h3f2d2g3e2f1d1c1b1h6h5g6h7g2h1h2c2h4b3h8c7c3b4).
line_of_play('Tamenori, ply 38',
    c4e3f6e6f5c5f4g6f7d3h5f8c2h6h7c3c6b3a4a3a2c1f3e2b4f2e1c7b5d1b1d2f1a5a6b6d8c8).
line_of_play('Berner, ply 40',
    c4e3f5e6f4c5d6c6f7g5g6f6f3h6d3c2c3f8c1d2g4f2d1h4g3e2c7h3h5b3f1e1a3c8b4a5b6d7e7a6).
line_of_play('Comp''Oth, ply 42',
    c4e3f6e6f5c5c3c6f2c2d3e2b5a4c1b3f4f3d2e1a3a2f1d1a6b6d6b4g3h3b2g4h5d7g5a1c8a5c7a7b7a8).
