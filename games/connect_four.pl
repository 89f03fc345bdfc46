% Connect four: a disc falls to the lowest free cell of a column; four in a row,
% column or diagonal win.  Source: Wexler's game of 1974; solved by Allen and Allis, 1988.

:- use_module(library(alphorn)).

:- param(width, 7, 4..10, "number of columns").
:- param(height, 6, 4..10, "number of rows").
:- param(row, 4, 3..6, "discs in a row that win").

:- expect(perft(1) = 7).
:- expect(perft(2) = 49).
:- expect(perft(3) = 343).
:- expect(perft(4) = 2401).
:- expect(value(pos(x, 0x4081, 0x8102, 0x10204000, 0x20408000, 0), 1) = 999999).
:- expect(best(pos(o, 0x4081, 0x102, 0x204000, 0, 8), 2) = 4).
:- expect(holds(gaps(0b0111, 0b111111, 4, 1, 0b1000))).
:- expect(holds(gaps(0b1011, 0b111111, 4, 1, 0b0100))).
:- expect(holds(gaps(0b0011, 0b111111, 4, 1, 0))).
:- expect(holds(gaps(0b110110, 0b111111, 5, 1, 0b001000))).
:- expect(holds(completing(0x380, 0x400))).

% pos(Player to move, X, O, ForX, ForO, State).  X and O have a bit for every disc of x (MAX) and of o:
% a column is Height + 1 bits from the lowest cell up, and its last bit stays clear, so that no line runs
% from one column into the next (J. Tromp's Fhourstones).  ForX and ForO have a bit for every cell that
% completes a line of that side.  State is won (by the last mover), full, or what the discs are worth.
initial(pos(x, 0, 0, 0, 0, 0)).

max_to_move(pos(x, _, _, _, _, _)).

% A move is the number of its column.
move(pos(x, X, O, ForX, ForO, Score), Column, pos(o, X1, O, ForX1, ForO, State)) :-
    Discs is X \/ O,
    drop(Discs, Column, Disc),
    X1 is X \/ Disc,
    completing(X1, ForX1),
    state(Disc, ForX, X1, O, Column, Score, 1, State).
move(pos(o, X, O, ForX, ForO, Score), Column, pos(x, X, O1, ForX, ForO1, State)) :-
    Discs is X \/ O,
    drop(Discs, Column, Disc),
    O1 is O \/ Disc,
    completing(O1, ForO1),
    state(Disc, ForO, X, O1, Column, Score, -1, State).

% Adding a column's lowest bit carries into its first free cell.
drop(Discs, Column, Disc) :-
    param(width, Width),
    param(height, Height),
    between(1, Width, Column),
    Shift is (Height + 1) * (Column - 1),
    Disc is (Discs + (1 << Shift)) /\ (((1 << Height) - 1) << Shift),
    Disc =\= 0.

% The state of the game after Disc, on a board where the cells For completed a line.
state(Disc, For, X, O, Column, Score0, Sign, State) :-
    board(_, Board),
    (   Disc /\ For =\= 0
    ->  State = won
    ;   X \/ O =:= Board
    ->  State = full
    ;   worth(Column, Disc, Worth),
        State is Score0 + Sign * Worth
    ).

% The lowest cell of every column, and all cells.
board(Lowest, Board) :-
    param(width, Width),
    param(height, Height),
    Lowest is ((1 << (Width * (Height + 1))) - 1) // ((1 << (Height + 1)) - 1),
    Board is Lowest * ((1 << Height) - 1).

% A disc is worth the more the nearer it is to the middle.
worth(Column, Disc, Worth) :-
    param(width, Width),
    param(height, Height),
    Row is msb(Disc) mod (Height + 1) + 1,
    Worth is min(Column, Width + 1 - Column) + min(Row, Height + 1 - Row).

% The cells that complete a line of Discs, free or not: in a column, a row and the two diagonals.
completing(Discs, Cells) :-
    param(height, Height),
    param(row, K),
    board(_, Board),
    Row is Height + 1,
    Rising is Height + 2,
    gaps(Discs, Board, K, 1, Cells1),
    gaps(Discs, Board, K, Row, Cells2),
    gaps(Discs, Board, K, Rising, Cells3),
    gaps(Discs, Board, K, Height, Cells4),
    Cells is (Cells1 \/ Cells2 \/ Cells3 \/ Cells4) /\ Board.

% The cells where one disc makes K in a row, with Step bits from a cell to the next.  Before are the cells
% with a disc before them, After those with a disc after them, Before2 those with two, and so on.  Bits above
% a column may be among the answers.
gaps(Discs, Board, K, Step, Cells) :-
    Before is (Discs << Step) /\ Board,
    After is Discs >> Step,
    Before2 is Before /\ (Before << Step),
    After2 is After /\ (After >> Step),
    gaps(K, Step, Before, After, Before2, After2, Cells).

gaps(3, _, Before, After, Before2, After2, Cells) :-
    Cells is Before2 \/ (Before /\ After) \/ After2.
gaps(4, Step, Before, After, Before2, After2, Cells) :-
    Before3 is Before2 /\ (Before << (2 * Step)),
    After3 is After2 /\ (After >> (2 * Step)),
    Cells is Before3 \/ (Before2 /\ After) \/ (Before /\ After2) \/ After3.
gaps(5, Step, Before, After, Before2, After2, Cells) :-
    Before3 is Before2 /\ (Before << (2 * Step)),
    After3 is After2 /\ (After >> (2 * Step)),
    Before4 is Before2 /\ (Before2 << (2 * Step)),
    After4 is After2 /\ (After2 >> (2 * Step)),
    Cells is Before4 \/ (Before3 /\ After) \/ (Before2 /\ After2) \/ (Before /\ After3) \/ After4.
gaps(6, Step, Before, After, Before2, After2, Cells) :-
    Before3 is Before2 /\ (Before << (2 * Step)),
    After3 is After2 /\ (After >> (2 * Step)),
    Before4 is Before2 /\ (Before2 << (2 * Step)),
    After4 is After2 /\ (After2 >> (2 * Step)),
    Before5 is Before3 /\ (Before2 << (3 * Step)),
    After5 is After3 /\ (After2 >> (3 * Step)),
    Cells is Before5 \/ (Before4 /\ After) \/ (Before3 /\ After2)
           \/ (Before2 /\ After3) \/ (Before /\ After4) \/ After5.

terminal(pos(_, _, _, _, _, won)).
terminal(pos(_, _, _, _, _, full)).

outcome(pos(_, _, _, _, _, full), draw).
outcome(pos(o, _, _, _, _, won), win(max)).
outcome(pos(x, _, _, _, _, won), win(min)).

% Free cells that complete a line are threats.  The first player fills odd rows in the end, the second
% even ones (Allis, "A knowledge-based approach of connect-four", 1988): such threats decide, in each
% column the lowest.  The weights were fitted to 50,000 solved positions.
static_eval(pos(_, X, O, ForX, ForO, Score), Value) :-
    integer(Score),
    param(height, Height),
    board(Lowest, Board),
    Free is Board - X - O,
    Even is Lowest * (0x2AA /\ ((1 << Height) - 1)),
    EvenX is ForX /\ Free /\ Even,
    OddX is (ForX /\ Free) - EvenX,
    EvenO is ForO /\ Free /\ Even,
    OddO is (ForO /\ Free) - EvenO,
    Deciding is OddX \/ EvenO,
    First is Deciding /\ ((Lowest << Height) - Deciding),
    Value is Score + 14 * popcount(First /\ OddX) - 8 * popcount(First /\ EvenO)
           + 4 * popcount(EvenX) - 5 * popcount(OddO).
static_eval(pos(_, _, _, _, _, full), 0).
static_eval(pos(o, _, _, _, _, won), 10000).
static_eval(pos(x, _, _, _, _, won), -10000).

value_range(-10000, 10000).
acyclic.

show(pos(_, X, O, _, _, _), Lines) :-
    param(width, Width),
    param(height, Height),
    findall(Line, ( between(1, Height, I), Row is Height - I, row_line(Row, X, O, Line) ), Rows),
    numlist(1, Width, Columns),
    atomic_list_concat(Columns, ' ', Footer),
    append(Rows, [Footer], Lines).

row_line(Row, X, O, Line) :-
    param(width, Width),
    param(height, Height),
    findall(Mark, ( between(1, Width, Column), Bit is (Height + 1) * (Column - 1) + Row, mark(Bit, X, O, Mark) ), Marks),
    atomic_list_concat(Marks, ' ', Line).

mark(Bit, X, O, Mark) :-
    (   X /\ (1 << Bit) =\= 0
    ->  Mark = x
    ;   O /\ (1 << Bit) =\= 0
    ->  Mark = o
    ;   Mark = '.'
    ).

% Ordering advice.  Four in a row first, then what keeps the other side from it, last what lets it
% have four on the cell above; else the middle first (Allis, "A knowledge-based approach of
% connect-four", 1988: threats, and whoever must move below them; the middle first is in John
% Tromp's Fhourstones).
prefer(pos(Player, X, O, ForX, ForO, _), Column, Weight) :-
    Discs is X \/ O,
    drop(Discs, Column, Disc),
    (   Player == x
    ->  Ours = ForX, Theirs = ForO
    ;   Ours = ForO, Theirs = ForX
    ),
    (   Disc /\ Ours =\= 0
    ->  Weight = 1000
    ;   Disc /\ Theirs =\= 0
    ->  Weight = 900
    ;   (Disc << 1) /\ Theirs =\= 0
    ->  Weight = -1000
    ;   worth(Column, Disc, Weight)
    ).

% Positions from six plies to thirty, as the columns played: four at random, then as a search to
% five plies had it (taken as they came).
sample(Columns, Pos) :-
    line_of_play(Columns),
    atom_chars(Columns, Digits),
    initial(Start),
    play(Digits, Start, Pos).

play([], Pos, Pos).
play([Digit|Digits], Pos0, Pos) :-
    atom_number(Digit, X),
    move(Pos0, X, Pos1),
    play(Digits, Pos1, Pos).

line_of_play('751554').
line_of_play('5212422').
line_of_play('44654444').
line_of_play('331142564').
line_of_play('5334321345').
line_of_play('75174432432').
line_of_play('221143444423').
line_of_play('4744352132433').
line_of_play('42353344526654').
line_of_play('366745452144445').
line_of_play('2775437477444335').
line_of_play('71274544444775555').
line_of_play('451532553344213214').
line_of_play('1237445643521411553').
line_of_play('64134524352143223456').
line_of_play('145155514114444553333').
line_of_play('6262664225444442635373').
line_of_play('14224536745367453675455').
line_of_play('127744564564455456622262').
line_of_play('57544444554552122222111177').
line_of_play('6277454444422226665555776533').
line_of_play('365542444455333634536622251111').
