% Connect four: a disc falls to the lowest free cell of a column; four in a row,
% column or diagonal win.  Source: Wexler's game of 1974; solved by Allen and Allis, 1988.

:- use_module(library(alphorn)).
:- use_module(library(lines)).
:- use_module(library(board)).

:- param(width, 7, 4..10, "number of columns").
:- param(height, 6, 4..10, "number of rows").
:- param(row, 4, 3..6, "discs in a row that win").

:- expect(perft(1) = 7).
:- expect(perft(2) = 49).
:- expect(perft(3) = 343).
:- expect(perft(4) = 2401).
:- expect(value(pos(x, b(x,x,x,e,e,e,e, o,o,o,e,e,e,e, e,e,e,e,e,e,e,
                         e,e,e,e,e,e,e, e,e,e,e,e,e,e, e,e,e,e,e,e,e), open(44)), 1) = 999999).
:- expect(best(pos(o, b(x,x,x,e,e,e,e, o,o,e,e,e,e,e, e,e,e,e,e,e,e,
                        e,e,e,e,e,e,e, e,e,e,e,e,e,e, e,e,e,e,e,e,e), open(101)), 2) = 4).
:- expect(holds(aggregate_all(count, line(7, 6, 4, _), 69))).
:- expect(holds(in_a_row(b(x,o,e, e,x,o, e,e,x), 3, 3, 3, x))).
:- expect(fails(in_a_row(b(x,o,e, e,x,o, e,e,x), 3, 3, 3, o))).

% pos(Player to move, Board, State): x (MAX), o or e (empty) in cells numbered row by
% row from the bottom.  State is open(Score), won (by the last mover) or full.
initial(pos(x, Board, open(0))) :-
    param(width, Width),
    param(height, Height),
    Size is Width * Height,
    length(Cells, Size),
    maplist(=(e), Cells),
    Board =.. [b|Cells].

max_to_move(pos(x, _, _)).

% A move is the number of its column.
move(pos(Player, Board, open(Score)), X, pos(Other, Next, State)) :-
    other(Player, Other),
    param(width, Width),
    between(1, Width, X),
    landing(X, Board, Width, I),
    put_arg(I, Board, Player, Next),
    state(Next, Width, Player, I, Score, State).

% The lowest free cell from I upwards; fails in a full column.
landing(I, Board, Width, Free) :-
    arg(I, Board, Cell),
    (   Cell == e
    ->  Free = I
    ;   Above is I + Width,
        landing(Above, Board, Width, Free)
    ).

% The state of the game after Player's move to cell I.
state(Board, Width, Player, I, Score0, State) :-
    param(height, Height),
    param(row, K),
    (   gains(Board, Width, Height, K, Player, I, Gain)
    ->  (   I > Width * (Height - 1),
            \+ args_with(Board, e, _)
        ->  State = full
        ;   side(Player, _, Sign),
            Score is Score0 + Sign * Gain,
            State = open(Score)
        )
    ;   in_a_row_at(Board, Width, Height, K, Player, I),
        State = won
    ).

% A line on which one side alone has discs is worth the more to it the more it has; one with a single
% free cell, a threat, most: the first player fills odd rows in the end, the second even ones (Allis,
% "A knowledge-based approach of connect-four", 1988).  An odd threat of the first player counts more
% than an even one of the second, which only decides if the first has no odd one.  Gain is what the
% disc in cell I adds to its own lines, and takes from the lines of the other side.  Fails if the disc
% completes a line.
gains(Board, Width, Height, K, Player, I, Gain) :-
    Reach is K - 1,
    X is (I - 1) mod Width + 1,
    Y is (I - 1) // Width + 1,
    Left is min(Reach, X - 1),
    Right is min(Reach, Width - X),
    Down is min(Reach, Y - 1),
    Up is min(Reach, Height - Y),
    RightUp is min(Right, Up),
    LeftDown is min(Left, Down),
    LeftUp is min(Left, Up),
    RightDown is min(Right, Down),
    All is (1 << K) - 1,
    On = on(Board, Player, I, Y, Reach, All),
    gain(On, 1, 0, Right, Left, 0, Gain1),
    gain(On, Width, 1, Up, Down, Gain1, Gain2),
    Rising is Width + 1,
    gain(On, Rising, 1, RightUp, LeftDown, Gain2, Gain3),
    Falling is Width - 1,
    gain(On, Falling, 1, LeftUp, RightDown, Gain3, Gain).

% The same on the lines in one direction, in which After and Before cells of the board follow cell I
% and stand before it; the next cell has the number of this one and Step, and is DY rows higher.
gain(On, Step, DY, After, Before, Gain0, Gain) :-
    On = on(Board, Player, I, Y, Reach, All),
    N is After + Before,
    (   N < Reach
    ->  Gain = Gain0
    ;   J is I + After * Step,
        discs(N, Board, J, I, Step, Player, 0, 0, Own, Others),
        This is 1 << Before,
        Lowest is Y - Before * DY,
        Lines is N - Reach,
        slide(Lines, Own, Others, This, Lowest, DY, Player, Y, Reach, All, Gain0, Gain)
    ).

% The discs of both sides in the N + 1 cells from J backwards, as bits without the disc in cell I.  Bit 0
% is the cell visited last.
discs(N, Board, J, I, Step, Player, Own0, Others0, Own, Others) :-
    arg(J, Board, Cell),
    (   (   Cell == e
        ;   J =:= I
        )
    ->  Ours = 0, Theirs = 0
    ;   Cell == Player
    ->  Ours = 1, Theirs = 0
    ;   Ours = 0, Theirs = 1
    ),
    Own1 is Own0 << 1 \/ Ours,
    Others1 is Others0 << 1 \/ Theirs,
    (   N =:= 0
    ->  Own = Own1,
        Others = Others1
    ;   N1 is N - 1,
        J1 is J - Step,
        discs(N1, Board, J1, I, Step, Player, Own1, Others1, Own, Others)
    ).

% The lines of Reach + 1 cells that begin at bit 0, 1 and so on up to Lines.  This is the bit of cell I,
% Lowest the row of bit 0.  Fails if Player has a whole line.
slide(Lines, Own, Others, This, Lowest, DY, Player, Row, Reach, All, Gain0, Gain) :-
    Ours is popcount(Own /\ All),
    Theirs is popcount(Others /\ All),
    (   Theirs =:= 0
    ->  Ours < Reach,
        (   Ours + 1 =:= Reach
        ->  Free is Lowest + DY * msb(All - (Own /\ All) - This),
            threat(Player, Free, Threat),
            Gain1 is Gain0 + Threat - Ours * Ours
        ;   Gain1 is Gain0 + 2 * Ours + 1
        )
    ;   Ours =:= 0
    ->  (   Theirs =:= Reach
        ->  other(Player, Other),
            threat(Other, Row, Change),
            Gain1 is Gain0 + Change
        ;   Gain1 is Gain0 + Theirs * Theirs
        )
    ;   Gain1 = Gain0
    ),
    (   Lines =:= 0
    ->  Gain = Gain1
    ;   Lines1 is Lines - 1,
        Own1 is Own >> 1,
        Others1 is Others >> 1,
        This1 is This >> 1,
        Lowest1 is Lowest + DY,
        slide(Lines1, Own1, Others1, This1, Lowest1, DY, Player, Row, Reach, All, Gain1, Gain)
    ).

threat(Player, Row, Worth) :-
    (   Player == x
    ->  Worth is 12 + (Row /\ 1) * 90
    ;   Worth is 52 - (Row /\ 1) * 40
    ).

% What cell I is worth for ordering: the more the nearer it is to the middle.
worth(Width, Height, I, Worth) :-
    X is (I - 1) mod Width + 1,
    Y is (I - 1) // Width + 1,
    Worth is min(X, Width + 1 - X) + min(Y, Height + 1 - Y).

terminal(pos(_, _, won)).
terminal(pos(_, _, full)).

outcome(pos(_, _, full), draw).
outcome(pos(Player, _, won), win(Winner)) :-
    other(Player, Other),
    side(Other, Winner, _).

% What the lines of both sides are worth: the score is counted move by move.
static_eval(pos(_, _, open(Score)), Score).
static_eval(pos(_, _, full), 0).
static_eval(pos(Player, _, won), Value) :-
    side(Player, _, Sign),
    Value is -10000 * Sign.

value_range(-10000, 10000).
acyclic.

other(x, o).
other(o, x).

side(x, max, 1).
side(o, min, -1).

show(pos(_, Board, _), Lines) :-
    param(width, Width),
    board_rows(Board, Width, Rows),
    numlist(1, Width, Columns),
    atomic_list_concat(Columns, ' ', Footer),
    append(Rows, [Footer], Lines).

% Ordering advice.  Four in a row first, then what keeps the other side from it, last what lets it
% have four on the cell above; else the middle first (Allis, "A knowledge-based approach of
% connect-four", 1988: threats, and whoever must move below them; the middle first is in John
% Tromp's Fhourstones).
prefer(pos(Player, Board, _), X, Weight) :-
    param(width, Width),
    param(height, Height),
    param(row, K),
    landing(X, Board, Width, I),
    other(Player, Other),
    put_arg(I, Board, Player, Ours),
    (   in_a_row_at(Ours, Width, Height, K, Player, I)
    ->  Weight = 1000
    ;   put_arg(I, Board, Other, Theirs),
        in_a_row_at(Theirs, Width, Height, K, Other, I)
    ->  Weight = 900
    ;   Above is I + Width,
        put_arg(Above, Ours, Other, Then),
        in_a_row_at(Then, Width, Height, K, Other, Above)
    ->  Weight = -1000
    ;   worth(Width, Height, I, Weight)
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
