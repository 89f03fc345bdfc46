% Dots and boxes: draw a line between two neighbouring dots; whoever draws the fourth side
% of a box gets it and must draw again; most boxes win.
% Source: E. Lucas, 1889; E. Berlekamp, The Dots and Boxes Game, 2000.

:- use_module(library(alphorn)).
:- use_module(library(bits)).
:- use_module(library(grid)).

:- param(columns, 2, 1..5, "boxes in a row").
:- param(rows, 2, 1..5, "boxes in a column").

% As OpenSpiel counts.
:- expect(perft(1) = 12).
:- expect(perft(4) = 11880).
:- expect(perft(5) = 95040).
% Found by a Python program over all positions too.
:- expect(value = 2).
:- expect(value(pos(min, 0b111010000010, 0)) = -2).
:- expect(best(pos(min, 0b111010000010, 0), 7) = 4).
:- expect(value(pos(max, 0b011000010011, 0)) = -2).
:- expect(holds(move(pos(min, 0b000010001111, 0), 5, pos(min, 0b000010101111, -1)))).
:- expect(holds(static_eval(pos(min, 0b100010001111, 1), 0))).
:- expect(holds(static_eval(pos(max, 0b001111010101, 0), 1))).
:- expect(holds(move(pos(max, 0b111110111111, 0), 6, pos(max, 0b111111111111, 2)))).

% pos(Player to move, Lines, Score): the lines drawn are the bits of one number, Score is
% the boxes of MAX less those of MIN.  The bits go row by row from the bottom, the lines
% across before the upright ones above them:
%
%     +-10-+-11-+
%     7    8    9
%     +--5-+--6-+
%     2    3    4
%     +--0-+--1-+
initial(pos(max, 0, 0)).

max_to_move(pos(max, _, _)).

% A move is the number of its line.
move(pos(Player, Lines, Score), Line, pos(Next, Lines1, Score1)) :-
    param(columns, Columns),
    last_line(Last),
    boxes(Columns, Boxes),
    closed(Lines, Columns, Boxes, Before),
    between(0, Last, Line),
    Lines /\ (1 << Line) =:= 0,
    Lines1 is Lines \/ (1 << Line),
    closed(Lines1, Columns, Boxes, After),
    Gain is After - Before,
    count(Gain, New),
    side(Player, Other, Sign),
    Score1 is Score + Sign * New,
    (   New > 0
    ->  Next = Player
    ;   Next = Other
    ).

shown_move(_, Line, Text) :-
    param(columns, Columns),
    Width is Columns + 1,
    X is Line mod (Columns + Width),
    Y is Line // (Columns + Width),
    (   X < Columns
    ->  From is Y * Width + X + 1,
        To is From + 1
    ;   From is Y * Width + X - Columns + 1,
        To is From + Width
    ),
    square_name(Width, From, Start),
    square_name(Width, To, End),
    atomic_list_concat([Start, End], -, Text).

side(max, min, 1).
side(min, max, -1).

last_line(Last) :-
    param(columns, Columns),
    param(rows, Rows),
    Last is Rows * (2 * Columns + 1) + Columns - 1.

% A box is the bit of the line below it.
boxes(Columns, Boxes) :-
    param(rows, Rows),
    Row is 2 * Columns + 1,
    Boxes is ((1 << (Rows * Row)) - 1) // ((1 << Row) - 1) * ((1 << Columns) - 1).

% The boxes that have all four sides: below, left, right, above.
closed(Lines, Columns, Boxes, Closed) :-
    Closed is Boxes /\ Lines /\ Lines >> Columns
              /\ Lines >> (Columns + 1) /\ Lines >> (2 * Columns + 1).

% The boxes that have three sides.
three_sided(Lines, Columns, Boxes, Open) :-
    Left is Lines >> Columns,
    Right is Lines >> (Columns + 1),
    Above is Lines >> (2 * Columns + 1),
    Open is Boxes /\ ((Lines /\ Left /\ (Right xor Above)) \/ ((Lines xor Left) /\ Right /\ Above)).

% How many bits are set, mostly few.
count(Bits, Count) :-
    (   Bits =:= 0
    ->  Count = 0
    ;   Rest is Bits /\ (Bits - 1),
        count(Rest, Count0),
        Count is Count0 + 1
    ).

terminal(pos(_, Lines, _)) :-
    last_line(Last),
    Lines =:= (2 << Last) - 1.

outcome(pos(_, _, Score), score(Score)).

% The boxes, and those that the player to move can close at once.
static_eval(pos(Player, Lines, Score), Value) :-
    param(columns, Columns),
    boxes(Columns, Boxes),
    three_sided(Lines, Columns, Boxes, Open),
    count(Open, Count),
    side(Player, _, Sign),
    Value is Score + Sign * Count.

value_range(Low, High) :-
    param(columns, Columns),
    param(rows, Rows),
    High is Columns * Rows,
    Low is -High.
acyclic.

% Half a turn around reverses the order of the lines.
symmetry(pos(Player, Lines, Score), pos(Player, Turned, Score)) :-
    last_line(Last),
    reverse_bits(Lines, Last, Turned).

% Closed boxes are filled.
show(pos(_, Lines, Score), Picture) :-
    param(columns, Columns),
    param(rows, Rows),
    boxes(Columns, Boxes),
    closed(Lines, Columns, Boxes, Closed),
    findall(Text,
            ( between(0, Rows, Down),
              Y is Rows - Down,
              Bit is Y * (2 * Columns + 1),
              drawn(Y, Bit, Columns, Lines, Closed, Text) ),
            Drawn),
    findall(Letter, ( between(0, Columns, X), Code is 0'a + X, char_code(Letter, Code) ), Letters),
    atomic_list_concat(Letters, '  ', Names),
    format(atom(Result), "  ~w   MAX less MIN: ~d", [Names, Score]),
    append(Drawn, [Result], Picture).

% The upright lines above row Y of dots, then the row itself; Bit is its first line.
drawn(Y, Bit, Columns, Lines, Closed, Text) :-
    param(rows, Rows),
    Y < Rows,
    findall(Part,
            ( between(0, Columns, X),
              mark(Lines, Bit + Columns + X, '|', ' ', Line),
              mark(Closed, Bit + X, '##', '  ', Box),
              atom_concat(Line, Box, Part) ),
            Parts),
    atomic_list_concat(['  '|Parts], Text).
drawn(Y, Bit, Columns, Lines, _, Text) :-
    Number is Y + 1,
    atom_concat(Number, ' ', First),
    Last is Columns - 1,
    findall(Line, ( between(0, Last, X), mark(Lines, Bit + X, --, '  ', Line) ), Parts),
    append([First|Parts], [''], Pieces),
    atomic_list_concat(Pieces, '+', Text).

mark(Bits, Bit, Set, Clear, Mark) :-
    (   Bits /\ (1 << Bit) =\= 0
    ->  Mark = Set
    ;   Mark = Clear
    ).
