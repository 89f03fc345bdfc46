% Checkers, or English draughts: men step forward on the dark squares, kings both ways; a jump is
% compulsory and goes on as long as it can, but ends where a man is crowned.  Black, who is MAX,
% begins; who cannot move loses.  Source: the rules of the World Checkers/Draughts Federation.

:- use_module(library(alphorn)).
:- use_module(library(bits)).

:- op(400, yfx, x).

% Published counts, OEIS A133046.
:- expect(perft(1) = 7).
:- expect(perft(2) = 49).
:- expect(perft(3) = 302).
:- expect(perft(4) = 1469).
:- expect(perft(5) = 7361).
:- expect(perft(6) = 36768).
% B:WK22:BK1,K13, two kings against one, by a table of all such positions that another program
% made; B:W17,20,23,26:B1,5,9,11,12,13,16,K21 and W:WK2,20,25,28,29,31:B7,12,15,16,23, found and
% solved by it.
:- expect(value(pos(b, 0x2001, 0x800000, 0x802001), 13) = 999987).
:- expect(best(pos(b, 0x2001, 0x800000, 0x802001), 13) = 13-17).
:- expect(value(pos(b, 0x413A11, 0x11240000, 0x400000), 5) = 999995).
:- expect(best(pos(b, 0x413A11, 0x11240000, 0x400000), 5) = 13 x 22 x 31).
:- expect(value(pos(w, 0x1019040, 0x2C8200002, 2), 7) = -999993).
:- expect(best(pos(w, 0x1019040, 0x2C8200002, 2), 7) = 2 x 11 x 18 x 27).
% A jump ends where a man is crowned; a king jumps on, and must.
:- expect(holds((read_position('B:W26,27:B22', P), move(P, 22 x 31, Q),
                 write_position(Q, 'W:W27:BK31')))).
:- expect(fails((read_position('B:W26,27:B22', P), move(P, 22 x 31 x 24, _)))).
:- expect(holds((read_position('B:W26,27:BK22', P), findall(M, move(P, M, _), [22 x 31 x 24])))).
:- expect(holds((initial(P), write_position(P, T), read_position(T, P)))).
:- expect(fails(read_position('B:W3:B31', _))).
:- expect(fails(read_position('B:W3,9:B7,9', _))).

% pos(Side to move, Black's pieces, White's, those that are kings).  A set of squares is a number:
% its bits are the squares 1 to 32 in order, but that a bit is left out after each second row.  So
% a step to a higher square is a shift by 4 or 5, and none goes over an edge.
initial(pos(b, 0x1EFF, 0x7FBC00000, 0)).

squares(0x7FBFDFEFF).

max_to_move(pos(b, _, _, _)).

% Moves are 11-15 and 22 x 15 x 8, as numbers; people write 22x15x8.
move(pos(b, B, W, K), Label, pos(w, B1, W1, K1)) :-
    turn(b, B, W, K, Label, B1, W1, K1).
move(pos(w, B, W, K), Label, pos(b, B1, W1, K1)) :-
    turn(w, W, B, K, Label, W1, B1, K1).

turn(Side, Own, Their, K, Label, Own1, Their1, K1) :-
    movers(Side, Own, K, Up, Down),
    free(Own, Their, Free),
    jumpers(Up, Down, Their, Free, Jumpers),
    (   Jumpers =:= 0
    ->  step(Up, Down, Free, From, To),
        number(From, M),
        number(To, N),
        Label = M-N,
        Their1 = Their,
        Kings = K
    ;   bit(Jumpers, From),
        number(From, N),
        kind(Side, From, K, Kind, Last),
        Free1 is Free \/ From,
        jump(Kind, Last, From, Their, Free1, N, Label, To, Their1),
        Kings is K /\ \(Their - Their1)
    ),
    Own1 is Own - From + To,
    crowned(Side, From, To, Kings, K1).

% Up are the pieces that can go to higher squares, Down those that can go to lower ones.
movers(b, Own, K, Own, Down) :- Down is Own /\ K.
movers(w, Own, K, Up, Own) :- Up is Own /\ K.

free(Own, Their, Free) :-
    squares(Squares),
    Free is Squares /\ \(Own \/ Their).

jumpers(Up, Down, Their, Free, Jumpers) :-
    Jumpers is (Up /\ ((Their >> 4 /\ Free >> 8) \/ (Their >> 5 /\ Free >> 10)))
            \/ (Down /\ ((Their << 4 /\ Free << 8) \/ (Their << 5 /\ Free << 10))).

step(Up, Down, Free, From, To) :-
    ( Shift = 4 ; Shift = 5 ),
    (   Movers is Up /\ (Free >> Shift),
        bit(Movers, From),
        To is From << Shift
    ;   Movers is Down /\ (Free << Shift),
        bit(Movers, From),
        To is From >> Shift
    ).

% jump(Kind, Last, From, Their, Free, Label, Label after, To, Their pieces after): all jumps of
% one piece, which do not go on from the squares Last.
jump(Kind, Last, From, Their, Free, Label0, Label, To, Their1) :-
    hop(Kind, From, Their, Free, Over, Next),
    number(Next, N),
    Label1 = Label0 x N,
    Rest is Their - Over,
    (   Next /\ Last =:= 0,
        hop(Kind, Next, Rest, Free, _, _)
    ->  jump(Kind, Last, Next, Rest, Free, Label1, Label, To, Their1)
    ;   Label = Label1,
        To = Next,
        Their1 = Rest
    ).

hop(Kind, From, Their, Free, Over, To) :-
    Kind \== down,
    ( Shift = 4 ; Shift = 5 ),
    Over is From << Shift /\ Their,
    Over =\= 0,
    To is Over << Shift /\ Free,
    To =\= 0.
hop(Kind, From, Their, Free, Over, To) :-
    Kind \== up,
    ( Shift = 4 ; Shift = 5 ),
    Over is From >> Shift /\ Their,
    Over =\= 0,
    To is Over >> Shift /\ Free,
    To =\= 0.

kind(Side, From, K, Kind, Last) :-
    (   From /\ K =\= 0
    ->  Kind = both,
        Last = 0
    ;   man(Side, Kind, Last)
    ).

% The way that a side's men go, and its king's row.
man(b, up, 0x780000000).
man(w, down, 0xF).

crowned(Side, From, To, K, K1) :-
    man(Side, _, Last),
    (   From /\ K =\= 0
    ->  K1 is K - From + To
    ;   K1 is K \/ (To /\ Last)
    ).

number(Bit, N) :-
    I is msb(Bit),
    N is I - I // 9 + 1.

shown_move(_, M-N, Text) :-
    atomic_list_concat([M, -, N], Text).
shown_move(_, Path x N, Text) :-
    path(Path, Start),
    atomic_list_concat([Start, x, N], Text).

path(Label, Text) :-
    (   Label = Path x N
    ->  path(Path, Start),
        atomic_list_concat([Start, x, N], Text)
    ;   Text = Label
    ).

terminal(pos(Side, B, W, K)) :-
    sides(Side, B, W, Own, Their),
    movers(Side, Own, K, Up, Down),
    free(Own, Their, Free),
    (Up /\ (Free >> 4 \/ Free >> 5)) \/ (Down /\ (Free << 4 \/ Free << 5)) =:= 0,
    jumpers(Up, Down, Their, Free, 0).

sides(b, B, W, B, W).
sides(w, B, W, W, B).

outcome(pos(b, _, _, _), win(min)).
outcome(pos(w, _, _, _), win(max)).

% A man is worth 100 and 4 more in the half to which it goes, a king 140; a man that guards its
% own first row 6 more.
static_eval(pos(_, B, W, K), Value) :-
    BMen is B /\ \K,
    WMen is W /\ \K,
    Value is 140 * (popcount(B /\ K) - popcount(W /\ K))
           + 100 * (popcount(BMen) - popcount(WMen))
           + 4 * (popcount(BMen /\ 0x7FBFC0000) - popcount(WMen /\ 0x1FEFF))
           + 6 * (popcount(BMen /\ 0xF) - popcount(WMen /\ 0x780000000)).

value_range(-2000, 2000).
repetition(draw).

% White sits below, as in books; beside each row stand the numbers of its squares.
show(pos(Side, B, W, K), Lines) :-
    findall(Line, ( between(0, 7, Row), row(Row, B, W, K, Line) ), Rows),
    side_name(Side, Name),
    atom_concat(Name, ' to move', Status),
    append(Rows, [Status], Lines).

row(Row, B, W, K, Line) :-
    First is Row * 4 + 1,
    Last is First + 3,
    findall(Mark, ( between(First, Last, N), square(N, Bit), mark(Bit, B, W, K, Mark) ), Marks),
    atomic_list_concat(Marks, '   ', Text),
    (   Row mod 2 =:= 0
    ->  Before = '  ',
        After = '   '
    ;   Before = '',
        After = '     '
    ),
    atomic_list_concat([Before, Text, After, First, -, Last], Line).

square(N, Bit) :-
    Bit is 1 << (N - 1 + (N - 1) // 8).

mark(Bit, B, W, K, Mark) :-
    (   B /\ Bit =\= 0
    ->  ( K /\ Bit =\= 0 -> Mark = 'B' ; Mark = b )
    ;   W /\ Bit =\= 0
    ->  ( K /\ Bit =\= 0 -> Mark = 'W' ; Mark = w )
    ;   Mark = '.'
    ).

side_name(b, 'Black').
side_name(w, 'White').

% The FEN of portable draughts notation: side to move, White's pieces, Black's, K before a king.
write_position(pos(Side, B, W, K), Text) :-
    letter(Side, Letter),
    pieces(W, K, White),
    pieces(B, K, Black),
    atomic_list_concat([Letter, ':W', White, ':B', Black], Text).

pieces(Set, K, Text) :-
    findall(Name, ( bit(Set, Bit), number(Bit, N), piece_name(Bit, K, N, Name) ), Names),
    atomic_list_concat(Names, ',', Text).

piece_name(Bit, K, N, Name) :-
    (   K /\ Bit =\= 0
    ->  atom_concat('K', N, Name)
    ;   Name = N
    ).

letter(b, 'B').
letter(w, 'W').

read_position(Text, pos(Side, B, W, K)) :-
    atomic_list_concat(Parts, ':', Text),
    ( Parts = [Letter, White, Black] ; Parts = [Letter, Black, White] ),
    letter(Side, Letter),
    read_pieces('W', White, 0xF, W, WK),
    read_pieces('B', Black, 0x780000000, B, BK),
    B /\ W =:= 0,
    K is BK \/ WK,
    !.

% No man stands on the squares Last.
read_pieces(Letter, Text, Last, Set, Kings) :-
    atom_concat(Letter, Rest, Text),
    ( Rest == '' -> Names = [] ; atomic_list_concat(Names, ',', Rest) ),
    read_names(Names, 0, Set, 0, Kings),
    Set /\ \Kings /\ Last =:= 0.

read_names([], Set, Set, Kings, Kings).
read_names([Name|Names], Set0, Set, Kings0, Kings) :-
    ( atom_concat('K', Digits, Name) -> true ; Digits = Name ),
    atom_number(Digits, N),
    integer(N),
    between(1, 32, N),
    square(N, Bit),
    Set0 /\ Bit =:= 0,
    ( Digits == Name -> Kings1 = Kings0 ; Kings1 is Kings0 \/ Bit ),
    Set1 is Set0 \/ Bit,
    read_names(Names, Set1, Set, Kings1, Kings).

% The dark squares have their numbers as names.
draw(pos(_, B, W, K), Items) :-
    findall(Item,
            ( between(0, 7, Row),
              between(1, 8, X),
              square_item(Row, X, B, W, K, Item) ),
            Items).

square_item(Row, X, B, W, K, Item) :-
    Y is 8 - Row,
    (   (Row + X) mod 2 =:= 0
    ->  N is Row * 4 + (X + 1) // 2,
        square(N, Bit),
        mark(Bit, B, W, K, Mark),
        (   Item = square(N, X, Y, dark)
        ;   Mark \== '.',
            Item = piece(N, Mark)
        )
    ;   atomic_list_concat([light, X, Y], '-', Name),
        Item = square(Name, X, Y, light)
    ).
