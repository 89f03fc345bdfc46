% Nannon: backgammon made small.  Each side has three men, a die and a board of six spots; whoever
% brings all men to safety first wins.  Source: J. Pollack, "Nannon: A Nano Backgammon for Machine
% Learning Research", 2005, and the rules at nannon.com.
%
% * MAX moves from spot 1 towards spot 6, MIN the other way.  At the start each side has two men on
%   its first two spots; its other men are at home.
% * Opening: both throw a die, equal dice again.  Whoever throws more moves first, by the
%   difference.  After that a turn is one throw of the die and one move by what it shows.
% * A man at home enters on the spot of that number; a man on the board moves on by it, over
%   whatever lies between, and off the board to safety where the number is large enough.  Nobody
%   need enter before moving other men.
% * A spot holds one man.  A man may not land on one of its own side, nor on one that has another
%   of its own side next to it on the board (a prime); any other is hit, and goes home.
% * Who can move must; else the turn is lost.
% A game counts once, even where the loser has brought no man to safety (a nannon).

:- use_module(library(alphorn)).

:- param(spots, 6, 6..12, "spots on the board").
:- param(men, 3, 2..4, "men on each side").

:- expect(holds((initial(Pos), chance(Pos, Outcomes), length(Outcomes, 10),
                 memberchk(5-pos(min, 1, 1, 1, b(x,x,e,e,o,o)), Outcomes),
                 memberchk(1-pos(max, 5, 1, 1, b(x,x,e,e,o,o)), Outcomes)))).
:- expect(holds((read_position('1 xx..oo 1 max roll', Pos), chance(Pos, Outcomes),
                 length(Outcomes, 6)))).
% From spot 1, from spot 2, from home; not onto the own side.
:- expect(holds((read_position('1 xx..oo 1 max 2', Pos),
                 findall(Move, move(Pos, Move, _), [1-3, 2-4])))).
:- expect(holds((read_position('1 xx..oo 1 min 3', Pos),
                 findall(Move, move(Pos, Move, _), [home-4, 6-3])))).
:- expect(holds((read_position('1 xx..oo 1 max 3', Pos), move(Pos, 1-4, Next),
                 write_position(Next, '1 .x.xoo 1 min roll')))).
% A man alone is hit; men leave the board with more than they need.
:- expect(holds((read_position('1 x...o. 0 max 4', Pos), move(Pos, 1-5, Next),
                 write_position(Next, '1 ....x. 1 min roll')))).
:- expect(holds((read_position('0 ...oxo 1 max 3', Pos), move(Pos, 5-off, Next),
                 write_position(Next, '0 ...o.o 1 min roll'), outcome(Next, win(max)),
                 static_eval(Next, Value), Value =:= 1))).
% MAX's men could land on their own side or on a prime alone: the turn is lost.
:- expect(holds((read_position('1 xxoo.. 0 max 2', Pos), \+ terminal(Pos), \+ move(Pos, _, _),
                 pass(Pos, Next), write_position(Next, '1 xxoo.. 0 min roll')))).
:- expect(fails(read_position('2 xx..oo 1 max 3', _))).
:- expect(fails(read_position('1 xx..oo 1 max 7', _))).
:- expect(fails(read_position('1 xx..oo 1 both 3', _))).
:- expect(value = 0).

% pos(Player to move, Roll, MAX's men at home, MIN's men at home, Board): x (MAX), o or e (empty)
% on the spots in their order.  Roll is what the die shows, or roll while it falls.  Player is
% both for the opening throw, which the second opening leaves out: MAX throws a die.
initial(pos(both, roll, Home, Home, Board)) :-
    start(Home, Board).
initial(pos(max, roll, Home, Home, Board)) :-
    start(Home, Board).

start(Home, Board) :-
    param(men, Men),
    param(spots, Spots),
    Home is Men - 2,
    length(Empty, Spots),
    maplist(=(e), Empty),
    Cells =.. [b|Empty],
    Last is Spots - 1,
    put_args(Cells, [1-x, 2-x, Last-o, Spots-o], Board).

max_to_move(pos(max, _, _, _, _)).

chance(pos(Player, roll, MaxHome, MinHome, Board), Outcomes) :-
    findall(Weight-pos(Mover, Die, MaxHome, MinHome, Board),
            thrown(Player, Mover, Die, Weight),
            Outcomes).

% Two dice differ by Die in 6 - Die ways for either player.
thrown(both, Mover, Die, Weight) :-
    side(Mover, _, _, _),
    between(1, 5, Die),
    Weight is 6 - Die.
thrown(max, max, Die, 1) :-
    between(1, 6, Die).
thrown(min, min, Die, 1) :-
    between(1, 6, Die).

side(max, min, x, o).
side(min, max, o, x).

% A move says from where to where: home-3, 2-5, 5-off.
move(pos(Player, Die, MaxHome, MinHome, Board), From-To, Next) :-
    integer(Die),
    side(Player, Other, Man, OtherMan),
    swap(Player, MaxHome, MinHome, Mine, Theirs),
    from(Mine, Board, Man, From),
    leave(From, Mine, Board, Mine1, Board1),
    to(Player, From, Die, To),
    enter(To, Man, OtherMan, Theirs, Board1, Theirs1, Board2),
    swap(Player, Mine1, Theirs1, MaxHome1, MinHome1),
    Next = pos(Other, roll, MaxHome1, MinHome1, Board2).

% What is MAX's and MIN's, as the player's own and the other's, or the other way round.
swap(max, A, B, A, B).
swap(min, A, B, B, A).

from(Home, _, _, home) :-
    Home > 0.
from(_, Board, Man, Spot) :-
    args_with(Board, Man, Spot).

leave(From, Home, Board, Home1, Board1) :-
    (   From == home
    ->  Home1 is Home - 1,
        Board1 = Board
    ;   Home1 = Home,
        put_arg(From, Board, e, Board1)
    ).

% On from where the man stands; home lies before the first spot.
to(Player, From, Die, To) :-
    param(spots, Spots),
    (   Player == max
    ->  place(From, 0, Place),
        Place1 is Place + Die
    ;   End is Spots + 1,
        place(From, End, Place),
        Place1 is Place - Die
    ),
    (   Place1 >= 1,
        Place1 =< Spots
    ->  To = Place1
    ;   To = off
    ).

place(From, Home, Place) :-
    (   From == home
    ->  Place = Home
    ;   Place = From
    ).

% What the man does to the other side's men at home, and to the board.
enter(To, Man, OtherMan, Theirs, Board, Theirs1, Board1) :-
    (   To == off
    ->  Theirs1 = Theirs,
        Board1 = Board
    ;   arg(To, Board, Cell),
        Cell \== Man,
        hit(Cell, OtherMan, To, Board, Hit),
        Theirs1 is Theirs + Hit,
        put_arg(To, Board, Man, Board1)
    ).

hit(Cell, OtherMan, To, Board, Hit) :-
    (   Cell == e
    ->  Hit = 0
    ;   \+ beside(To, Board, OtherMan),
        Hit = 1
    ).

beside(Spot, Board, Man) :-
    (   Before is Spot - 1,
        arg(Before, Board, Man)
    ->  true
    ;   After is Spot + 1,
        arg(After, Board, Man)
    ).

no_moves(pass).

pass(pos(Player, _, MaxHome, MinHome, Board), pos(Other, roll, MaxHome, MinHome, Board)) :-
    side(Player, Other, _, _).

terminal(Pos) :-
    outcome(Pos, _).

outcome(pos(_, _, MaxHome, MinHome, Board), win(Winner)) :-
    (   safe(MaxHome, Board, x)
    ->  Winner = max
    ;   safe(MinHome, Board, o),
        Winner = min
    ).

% All men of a side are in safety.
safe(Home, Board, Man) :-
    Home =:= 0,
    \+ args_with(Board, Man, _).

% What MIN's men have before them more than MAX's, as a part of both: 1 and -1 at the end.
static_eval(pos(_, _, MaxHome, MinHome, Board), Value) :-
    param(spots, Spots),
    Way is Spots + 1,
    Max0 is MaxHome * Way,
    Min0 is MinHome * Way,
    ways(1, Board, Way, Max0, Min0, Max, Min),
    Value is (Min - Max) / (Min + Max).

ways(Spot, Board, Way, Max0, Min0, Max, Min) :-
    (   arg(Spot, Board, Cell)
    ->  way(Cell, Spot, Way, Max0, Min0, Max1, Min1),
        Spot1 is Spot + 1,
        ways(Spot1, Board, Way, Max1, Min1, Max, Min)
    ;   Max = Max0,
        Min = Min0
    ).

way(e, _, _, Max, Min, Max, Min).
way(x, Spot, Way, Max, Min, Max1, Min) :-
    Max1 is Max + Way - Spot.
way(o, Spot, _, Max, Min, Max, Min1) :-
    Min1 is Min + Spot.

value_range(-1, 1).

% The notation: MAX's men at home, the spots, MIN's men at home, who is to move, the roll.
write_position(pos(Player, Roll, MaxHome, MinHome, Board), Text) :-
    spots(Board, Spots),
    atomic_list_concat(Spots, Middle),
    atomic_list_concat([MaxHome, Middle, MinHome, Player, Roll], ' ', Text).

read_position(Text, pos(Player, Roll, MaxHome, MinHome, Board)) :-
    atomic_list_concat([A, Middle, B, Player, Die], ' ', Text),
    roll(Die, Player, Roll),
    atom_chars(Middle, Spots),
    param(spots, Number),
    length(Spots, Number),
    maplist(cell_char, Cells, Spots),
    Board =.. [b|Cells],
    at_home(A, Board, x, MaxHome, Max),
    at_home(B, Board, o, MinHome, Min),
    Max + Min > 0.

roll(roll, Player, roll) :-
    memberchk(Player, [max, min, both]).
roll(Die, Player, Roll) :-
    memberchk(Player, [max, min]),
    atom_number(Die, Roll),
    memberchk(Roll, [1, 2, 3, 4, 5, 6]).

% A side has All men left, and no more than the game has.
at_home(Text, Board, Man, Home, All) :-
    atom_number(Text, Home),
    integer(Home),
    Home >= 0,
    aggregate_all(count, args_with(Board, Man, _), OnBoard),
    All is Home + OnBoard,
    param(men, Men),
    All =< Men.

spots(Board, Spots) :-
    Board =.. [_|Cells],
    maplist(cell_char, Cells, Spots).

cell_char(e, '.').
cell_char(x, x).
cell_char(o, o).

show(pos(Player, Roll, MaxHome, MinHome, Board), [Line, Turn]) :-
    spots(Board, Spots),
    atomic_list_concat(Spots, ' ', Middle),
    format(atom(Line), "x at home: ~w   ~w   o at home: ~w", [MaxHome, Middle, MinHome]),
    turn(Player, Roll, Turn).

turn(both, roll, 'both throw, who begins?').
turn(max, roll, 'x (max) throws').
turn(min, roll, 'o (min) throws').
turn(max, Die, Text) :-
    integer(Die),
    atom_concat('x (max) moves ', Die, Text).
turn(min, Die, Text) :-
    integer(Die),
    atom_concat('o (min) moves ', Die, Text).

% The spots in a row.  The mover's home is the square home, and men leave to the square off.
draw(pos(Player, Roll, MaxHome, MinHome, Board), Items) :-
    param(spots, Spots),
    End is Spots + 1,
    homes(Player, End, MaxHome, MinHome, Home, Off, Man, Men),
    findall(Item, spot_item(Spots, Board, Item), Row),
    findall(dice([Roll]), integer(Roll), Dice),
    Ends = [square(home, Home, 1, dark), square(off, Off, 1, dark), piece(home, Man, Men),
            pocket(max, 'at home', [x-MaxHome]), pocket(min, 'at home', [o-MinHome])],
    append([Ends, Row, Dice], Items).

homes(min, End, _, MinHome, End, 0, o, MinHome).
homes(max, End, MaxHome, _, 0, End, x, MaxHome).
homes(both, End, MaxHome, _, 0, End, x, MaxHome).

spot_item(Spots, _, square(Spot, Spot, 1)) :-
    between(1, Spots, Spot).
spot_item(Spots, Board, piece(Spot, Man)) :-
    between(1, Spots, Spot),
    arg(Spot, Board, Man),
    Man \== e.
