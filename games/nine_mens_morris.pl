% Nine men's morris: place nine men each, then move them along the lines, and with three left fly
% to any point.  Three in a line, a mill, take a man: one in no mill, if there is such.  Who is
% down to two men or cannot move loses; White begins and is MAX.  Source: the old board game; R.
% Gasser found it drawn, Solving Nine Men's Morris, 1996.

:- use_module(library(alphorn)).
:- use_module(library(bits)).

:- op(600, xfx, x).

:- param(men, 9, 3..9, "men of each side").
:- param(flying, yes, [yes, no], "whether three men may fly").

:- expect(perft(1) = 24).
:- expect(perft(2) = 552).
:- expect(perft(3) = 12144).
:- expect(perft(4) = 255024).
:- expect(perft(5) = 5140800).
% Another program, without bits, found the counts and also these wins, by the same only moves:
% White shuts Black in; opens a mill to close it again, Black flying; makes a mill; so does Black.
:- expect(value(pos(w, 0xA0900F, 0x402870, 0), 3) = 999997).
:- expect(best(pos(w, 0xA0900F, 0x402870, 0), 3) = a7-a4 x f4).
:- expect(value(pos(w, 0x20E720, 0x7, 0), 3) = 999997).
:- expect(best(pos(w, 0x20E720, 0x7, 0), 3) = f6-f4).
:- expect(value(pos(w, 0xA0908E, 0x400470, 0), 5) = 999995).
:- expect(best(pos(w, 0xA0908E, 0x400470, 0), 5) = f2-d2).
:- expect(value(pos(b, 0x282004, 0x841F48, 0), 5) = -999995).
% White closes a7-d7-g7: of Black's men a4 may be taken, not the mill b2, d2, f2.  Men that
% are all in mills may be.
:- expect(holds((findall(M, move(pos(w, 0x800003, 0x7080, 10), M, _), Ms),
                 memberchk(g7 x a4, Ms), \+ memberchk(g7 x d2, Ms)))).
:- expect(holds(move(pos(w, 0x20EB20, 0x7, 0), f4-f6 x d7, _))).

% pos(Side to move, White's men, Black's, men still to be placed).  A set of points is a number:
% bits 0 to 7 are the outer square from a7 clockwise, 8 to 15 the middle one from b6, 16 to 23 the
% inner one from c5.  So a step along a square turns each byte by a bit, and a step from square to
% square, at the odd bits, is a shift by a byte.
initial(pos(w, 0, 0, Left)) :-
    param(men, Men),
    Left is 2 * Men.

max_to_move(pos(w, _, _, _)).

% Moves are d6, d6-d5, and with a man taken d6 x a1, d6-d5 x a1; people write d6-d5xa1.
move(pos(w, W, B, Left), Label, pos(b, W1, B1, Left1)) :-
    turn(Left, W, B, Label, W1, B1, Left1).
move(pos(b, W, B, Left), Label, pos(w, W1, B1, Left1)) :-
    turn(Left, B, W, Label, B1, W1, Left1).

turn(Left, Own, Their, Label, Own1, Their1, Left1) :-
    Empty is 0xFFFFFF /\ \(Own \/ Their),
    (   Left =:= 0
    ->  Left1 = 0,
        bit(Own, From),
        ends(Own, From, Empty, Ends),
        Ends =\= 0,
        Rest is Own - From,
        closers(Rest, Closers),
        bit(Ends, To),
        point(From, Start),
        point(To, End),
        Step = Start-End
    ;   Left1 is Left - 1,
        Rest = Own,
        closers(Rest, Closers),
        bit(Empty, To),
        point(To, Step)
    ),
    Own1 is Rest + To,
    (   To /\ Closers =:= 0
    ->  Label = Step,
        Their1 = Their
    ;   prey(Their, Prey),
        bit(Prey, Taken),
        point(Taken, Name),
        Label = Step x Name,
        Their1 is Their - Taken
    ).

ends(Own, From, Empty, Ends) :-
    (   flies(Own)
    ->  Ends = Empty
    ;   near(From, Near),
        Ends is Near /\ Empty
    ).

flies(Own) :-
    popcount(Own) =:= 3,
    param(flying, yes).

% The points next to some point of a set.
near(Set, Near) :-
    turned(Set, Left, Right),
    Near is Left \/ Right \/ ((Set << 8 \/ Set >> 8) /\ 0xAAAAAA).

% A set, each square turned by one point, one way and the other.
turned(Set, Left, Right) :-
    Left is (Set << 1 /\ 0xFEFEFE) \/ (Set >> 7 /\ 0x010101),
    Right is (Set >> 1 /\ 0x7F7F7F) \/ (Set << 7 /\ 0x808080).

% The points that have the two others of a line in Set: in the middle of a side, at its ends, and
% across the squares.
closers(Set, Closers) :-
    turned(Set, Left, Right),
    turned(Left, Left2, _),
    turned(Right, _, Right2),
    Across is (Set << 8 \/ Set >> 16) /\ (Set >> 8 \/ Set << 16),
    Closers is (((Left /\ Right) \/ Across) /\ 0xAAAAAA)
            \/ (((Left /\ Left2) \/ (Right /\ Right2)) /\ 0x555555).

% The men that may be taken: those in no mill, or all if there are none.
prey(Their, Prey) :-
    closers(Their, Closers),
    Open is Their /\ \Closers,
    ( Open =:= 0 -> Prey = Their ; Prey = Open ).

shown_move(_, Label, Text) :-
    (   Label = Step x Taken
    ->  step_text(Step, Start),
        atomic_list_concat([Start, x, Taken], Text)
    ;   step_text(Label, Text)
    ).

step_text(Step, Text) :-
    (   Step = From-To
    ->  atomic_list_concat([From, -, To], Text)
    ;   Text = Step
    ).

% Men in hand count: who has two of all loses at once.
terminal(pos(Side, W, B, Left)) :-
    mine(Side, W, B, Own),
    (   popcount(Own) + (Left + 1) // 2 < 3
    ->  true
    ;   Left =:= 0,
        \+ flies(Own),
        near(Own, Near),
        Near /\ \(W \/ B) =:= 0
    ).

mine(w, W, _, W).
mine(b, _, B, B).

outcome(pos(w, _, _, _), win(min)).
outcome(pos(b, _, _, _), win(max)).

% Men, in hand and on the board, then men in mills, then points to go to.
static_eval(pos(Side, W, B, Left), Value) :-
    ( Side = b, Left > 0 -> Hand = 100 ; Hand = 0 ),
    worth(W, B, White),
    worth(B, W, Black),
    Value is White - Black - Hand.

worth(Own, Their, Worth) :-
    near(Own, Near),
    closers(Own, Closers),
    Worth is 100 * popcount(Own) + 5 * popcount(Own /\ Closers)
           + 2 * popcount(Near /\ \(Own \/ Their)).

value_range(-1500, 1500).
repetition(draw).

% The least of sixteen images: the board turned and mirrored, its squares turned inside out.
canonical(pos(Side, W, B, Left), pos(Side, W1, B1, Left)) :-
    findall(A-C, image(W, B, A, C), Images),
    msort(Images, Sorted),
    Sorted = [W1-B1|_].

image(W, B, W1, B1) :-
    (   WA = W,
        BA = B
    ;   swapped(W, WA),
        swapped(B, BA)
    ),
    (   WB = WA,
        BB = BA
    ;   mirrored(WA, WB),
        mirrored(BA, BB)
    ),
    quarter_turns(Turns),
    rotated(Turns, WB, W1),
    rotated(Turns, BB, B1).

swapped(Set, Image) :-
    Image is (Set /\ 0xFF) << 16 \/ (Set /\ 0xFF00) \/ Set >> 16.

mirrored(Set, Image) :-
    Image is (Set /\ 0x111111)
          \/ (Set /\ 0x020202) << 6 \/ (Set /\ 0x040404) << 4 \/ (Set /\ 0x080808) << 2
          \/ (Set /\ 0x202020) >> 2 \/ (Set /\ 0x404040) >> 4 \/ (Set /\ 0x808080) >> 6.

rotated(Bits, Set, Image) :-
    High is 0x010101 * (0xFF << Bits /\ 0xFF),
    Image is (Set << Bits /\ High) \/ (Set >> (8 - Bits) /\ (0xFFFFFF - High)).

quarter_turns(0).
quarter_turns(2).
quarter_turns(4).
quarter_turns(6).

point(0x000001, a7). point(0x000002, d7). point(0x000004, g7). point(0x000008, g4).
point(0x000010, g1). point(0x000020, d1). point(0x000040, a1). point(0x000080, a4).
point(0x000100, b6). point(0x000200, d6). point(0x000400, f6). point(0x000800, f4).
point(0x001000, f2). point(0x002000, d2). point(0x004000, b2). point(0x008000, b4).
point(0x010000, c5). point(0x020000, d5). point(0x040000, e5). point(0x080000, e4).
point(0x100000, e3). point(0x200000, d3). point(0x400000, c3). point(0x800000, c4).

show(pos(Side, W, B, Left), Lines) :-
    findall(Line, ( row(Row, Parts), drawn([Row, ' '|Parts], W, B, Line) ), Rows),
    side_name(Side, Name),
    (   Left =:= 0
    ->  atom_concat(Name, ' to move', Status)
    ;   atomic_list_concat([Name, ' to place, men in hand: ', Left], Status)
    ),
    append(Rows, ['  a b c d e f g', Status], Lines).

row(7, [a7, '-----', d7, '-----', g7]).
row(6, ['| ', b6, '---', d6, '---', f6, ' |']).
row(5, ['| | ', c5, -, d5, -, e5, ' | |']).
row(4, [a4, -, b4, -, c4, '   ', e4, -, f4, -, g4]).
row(3, ['| | ', c3, -, d3, -, e3, ' | |']).
row(2, ['| ', b2, '---', d2, '---', f2, ' |']).
row(1, [a1, '-----', d1, '-----', g1]).

drawn(Parts, W, B, Line) :-
    findall(Text, ( member(Part, Parts), mark(Part, W, B, Text) ), Texts),
    atomic_list_concat(Texts, Line).

mark(Part, W, B, Text) :-
    (   point(Bit, Part)
    ->  ( W /\ Bit =\= 0 -> Text = w ; B /\ Bit =\= 0 -> Text = b ; Text = '.' )
    ;   Text = Part
    ).

side_name(w, 'White').
side_name(b, 'Black').
