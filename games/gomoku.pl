% Gomoku: x and o put a stone on a cell in turn; five or more in a row, column or diagonal
% win, a full board is a draw.  With other sizes it is any m,n,k-game.
% Source: the old Japanese game, free rules; J. Uiterwijk, J. van den Herik, 2000 (m,n,k).

:- use_module(library(alphorn)).
:- use_module(library(grid)).
:- use_module(library(board)).

:- param(width, 15, 1..19, "number of columns").
:- param(height, 15, 1..19, "number of rows").
:- param(row, 5, 2..6, "stones in a row that win").

% As OpenSpiel counts.
:- expect(perft(1) = 225).
:- expect(perft(2) = 50400).
% What the lines count (a Python program agrees); four in a row with both ends free win, and
% so do three; six are as good as five.
:- expect(holds(( initial(P0), foldl([I, P, Q]>>move(P, I, Q), [1, 17], P0, P1),
                  static_eval(P1, -3) ))).
:- expect(holds(( initial(P0), foldl([I, P, Q]>>move(P, I, Q), [113, 1, 114, 2, 115, 3, 116],
                                     P0, P1), value(P1, 2, 999998) ))).
:- expect(holds(( initial(P0), foldl([I, P, Q]>>move(P, I, Q), [113, 1, 129, 15, 145, 225], P0, P1),
                  value(P1, 3, 999997) ))).
:- expect(holds(( initial(P0), foldl([I, P, Q]>>move(P, I, Q), [45, 1, 59, 4, 73, 7, 101, 9, 115, 12,
                                                                87], P0, P1), outcome(P1, win(max)) ))).

% pos(Player to move, Board, State): x is MAX.  The board has a number for each row, from
% the bottom, and in it two bits for each cell, from the left: 1 for x, 2 for o, 0 for
% none; so even a large board is a small term.  A cell is 64 Y + 2 X, with X from 0.
% State is open(Score), won (by the last mover) or full.
initial(pos(x, Board, open(0))) :-
    param(height, Height),
    findall(0, between(1, Height, _), Rows),
    Board =.. [b|Rows].

max_to_move(pos(x, _, _)).

% A move is the number of its cell, row by row from 1; those that gain most come first.
move(pos(Player, Board, open(Score)), I, pos(Other, Next, State)) :-
    side(Player, Other, _, Mark, Sign),
    param(width, Width),
    param(height, Height),
    findall(Loss-Free,
            ( free(Board, Width, Height, Free),
              gain(Board, Width, Height, Free, Mark, Gain),
              Loss is -Gain ),
            Moves),
    keysort(Moves, Sorted),
    member(Best, Sorted),
    Best = Least-Cell,
    put(Cell, Board, Mark, Next),
    state(Least, Next, Width, Height, Score, Sign, State),
    I is (Cell >> 6 - 1) * Width + (Cell /\ 63) // 2 + 1.

shown_move(_, I, Name) :-
    param(width, Width),
    square_name(Width, I, Name).

side(x, o, max, 1, 1).
side(o, x, min, 2, -1).

free(Board, Width, Height, Cell) :-
    between(1, Height, Y),
    arg(Y, Board, Row),
    Last is Width - 1,
    between(0, Last, X),
    Row >> (2 * X) /\ 3 =:= 0,
    Cell is 64 * Y + 2 * X.

mark(Cell, Board, Mark) :-
    Y is Cell >> 6,
    arg(Y, Board, Row),
    Mark is Row >> (Cell /\ 63) /\ 3.

put(Cell, Board, Mark, Next) :-
    Y is Cell >> 6,
    arg(Y, Board, Row),
    Row1 is Row \/ Mark << (Cell /\ 63),
    put_arg(Y, Board, Row1, Next).

state(Loss, Board, Width, Height, Score, Sign, State) :-
    (   Loss =< -1000000
    ->  State = won
    ;   \+ free(Board, Width, Height, _)
    ->  State = full
    ;   Score1 is Score - Sign * Loss,
        State = open(Score1)
    ).

terminal(pos(_, _, won)).
terminal(pos(_, _, full)).

outcome(pos(_, _, full), draw).
outcome(pos(Player, _, won), win(Winner)) :-
    side(Player, Other, _, _, _),
    side(Other, _, Winner, _, _).

% Every line of cells that can still become a row counts for the side that has stones on
% it: 1 for one stone, and four times as much for each stone more.
static_eval(pos(_, _, open(Score)), Score).
static_eval(pos(_, _, full), 0).
static_eval(pos(Player, _, won), Value) :-
    side(Player, _, _, _, Sign),
    Value is -1000000 * Sign.

value_range(-1000000, 1000000).
acyclic.

% What a stone with this Mark on an empty cell changes in the lines through it, to the
% good of its side; 1000000 or more if it makes a row.
gain(Board, Width, Height, Cell, Mark, Gain) :-
    param(row, K),
    X is (Cell /\ 63) // 2,
    Y is Cell >> 6,
    West is min(X, K - 1),
    East is min(Width - 1 - X, K - 1),
    South is min(Y - 1, K - 1),
    North is min(Height - Y, K - 1),
    gain(Cell, West, East, 2, K, Board, Mark, 0, Gain1),
    gain(Cell, South, North, 64, K, Board, Mark, Gain1, Gain2),
    SouthWest is min(South, West),
    NorthEast is min(North, East),
    gain(Cell, SouthWest, NorthEast, 66, K, Board, Mark, Gain2, Gain3),
    SouthEast is min(South, East),
    NorthWest is min(North, West),
    gain(Cell, SouthEast, NorthWest, 62, K, Board, Mark, Gain3, Gain).

% The lines in one direction, from so many steps Before I to so many After it.
gain(I, Before, After, Step, K, Board, Mark, Gain0, Gain) :-
    (   Before + After + 1 < K
    ->  Gain = Gain0
    ;   First is I - Before * Step,
        Last is I + After * Step,
        Begin is First + (K - 1) * Step,
        stones(First, Begin, Step, Board, Mark, 0, Stones),
        lines(Begin, Last, First, Step, K, Board, Mark, Stones, Gain0, Gain)
    ).

% The stones from one cell up to another, but not on it: 1 for Mark, 16 for others.
stones(I, End, Step, Board, Mark, Stones0, Stones) :-
    (   I =:= End
    ->  Stones = Stones0
    ;   stone(I, Board, Mark, Worth),
        Stones1 is Stones0 + Worth,
        I1 is I + Step,
        stones(I1, End, Step, Board, Mark, Stones1, Stones)
    ).

stone(Cell, Board, Mark, Worth) :-
    mark(Cell, Board, Found),
    (   Found =:= 0
    ->  Worth = 0
    ;   Found =:= Mark
    ->  Worth = 1
    ;   Worth = 16
    ).

% The lines that end in I, and all after it.
lines(I, Last, First, Step, K, Board, Mark, Stones0, Gain0, Gain) :-
    stone(I, Board, Mark, In),
    Stones is Stones0 + In,
    line_gain(Stones, K, More),
    Gain1 is Gain0 + More,
    (   I =:= Last
    ->  Gain = Gain1
    ;   stone(First, Board, Mark, Out),
        Stones1 is Stones - Out,
        I1 is I + Step,
        First1 is First + Step,
        lines(I1, Last, First1, Step, K, Board, Mark, Stones1, Gain1, Gain)
    ).

line_gain(Stones, K, Gain) :-
    (   Stones < 16
    ->  (   Stones =:= K - 1
        ->  Gain = 1000000
        ;   Gain is (4 << (2 * Stones)) >> 2 - (1 << (2 * Stones)) >> 2
        )
    ;   Stones /\ 15 =:= 0
    ->  Gain is 1 << (Stones >> 3) >> 2
    ;   Gain = 0
    ).

% Upside down.
symmetry(pos(Player, Board, State), pos(Player, Turned, State)) :-
    Board =.. [b|Rows],
    reverse(Rows, Reversed),
    Turned =.. [b|Reversed].

show(pos(_, Board, _), Lines) :-
    param(width, Width),
    Last is Width - 1,
    Board =.. [b|Rows],
    findall(Piece,
            ( member(Row, Rows), between(0, Last, X), Mark is Row >> (2 * X) /\ 3, piece(Mark, Piece) ),
            Pieces),
    Picture =.. [b|Pieces],
    board_lines(Picture, Width, Lines).

piece(0, e).
piece(1, x).
piece(2, o).
