% EinStein würfelt nicht!: six numbered stones a side on a board of 5 x 5, and a die that says
% which of them moves.  Source: I. Althöfer, 2004; rules in "Computer Chess Club", March 2005.
%
% * MAX starts in the upper left corner and moves one square right, down or both at once; MIN in
%   the lower right corner and moves left, up or both.  Whatever stands on the square is taken,
%   own stones too.
% * The stone of the number thrown moves; if it is gone, the one with the next lower or the next
%   higher number that is left.  Nobody may pass.
% * Whoever reaches the other side's corner square wins, and so does whoever takes the last stone
%   of the other side.
% A single stone needs no die, hence the name: throws that move the same stones are one outcome.

:- use_module(library(alphorn)).
:- use_module(library(grid)).

% Althöfer's example of an opening position.
:- param(max_setup, 163524, 123456..654321, "MAX's stones on a5, b5, c5, a4, b4, a3").
:- param(min_setup, 564132, 123456..654321, "MIN's stones on e1, d1, c1, e2, d2, e3").

:- expect(holds((initial(Pos), write_position(Pos, '163../52.../4...b/...ca/..dfe max roll')))).
:- expect(holds((initial(Pos), chance(Pos, Outcomes), length(Outcomes, 6)))).
% Own stones can be taken.
:- expect(holds((read_position('163../52.../4...b/...ca/..dfe max 1', Pos),
                 findall(Move, move(Pos, Move, _), [1-b5, 1-a4, 1-b4])))).
:- expect(holds((read_position('163../52.../4...b/...ca/..dfe max 1', Pos), move(Pos, 1-b5, Next),
                 write_position(Next, '.13../52.../4...b/...ca/..dfe min roll')))).
% Stones 1, 2 and 5 are left: 3 or 4 moves 2 or 5, and 6 moves 5.
:- expect(holds((read_position('...../.1.../..2.5/...../.d... max roll', Pos),
                 findall(Weight-Die, ( chance(Pos, Outcomes),
                                       member(Weight-Next, Outcomes),
                                       Next = pos(max, Die, _, _) ),
                         [1-1, 1-2, 2-3, 2-5])))).
:- expect(holds((read_position('...../.1.../..2.5/...../.d... max 4', Pos),
                 findall(Move, move(Pos, Move, _), [2-d3, 2-c2, 2-d2, 5-e2])))).
:- expect(holds((read_position('...../.1.../..2.5/...../.d... min roll', Pos),
                 chance(Pos, [6-Next]),
                 write_position(Next, '...../.1.../..2.5/...../.d... min 4')))).
% By the corner, and by the last stone.
:- expect(holds((read_position('...../...../..a../...6./..... max 2', Pos), \+ terminal(Pos),
                 move(Pos, 6-e1, Next), outcome(Next, win(max)), static_eval(Next, 1)))).
:- expect(holds((read_position('...../...../..a../...6./..... min 2', Pos),
                 \+ (move(Pos, _, Next), terminal(Next))))).
:- expect(holds((read_position('...../.6.../..a../...../..... min 2', Pos), move(Pos, 1-b4, Next),
                 outcome(Next, win(min)), static_eval(Next, -1)))).
:- expect(fails(read_position('...../.1.../..1../...../.d... max 4', _))).
:- expect(fails(read_position('...../...../...../...../..... max 4', _))).

% pos(Player to move, Roll, Max, Min): what the die shows, or roll while it falls, and the cells
% of stones 1 to 6 of each side, 0 for one that is gone.  Cells are numbered row by row from
% below; MAX goes from 21 (a5) to 5 (e1).
initial(pos(max, roll, Max, Min)) :-
    param(max_setup, MaxSetup),
    set_up(MaxSetup, [21, 22, 23, 16, 17, 11], Max),
    param(min_setup, MinSetup),
    set_up(MinSetup, [5, 4, 3, 10, 9, 15], Min).

% Each of the numbers 1 to 6 must be there.
set_up(Setup, Cells, Stones) :-
    number_chars(Setup, Chars),
    maplist(atom_number, Chars, Numbers),
    pairs_keys_values(Pairs, Numbers, Cells),
    keysort(Pairs, Sorted),
    pairs_keys_values(Sorted, [1, 2, 3, 4, 5, 6], InOrder),
    Stones =.. [s|InOrder].

max_to_move(pos(max, _, _, _)).

% Of the throws that move the same stones one stands for all.
chance(pos(Player, roll, Max, Min), Outcomes) :-
    swap(Player, Max, Min, Mine, _),
    findall(Weight-pos(Player, Die, Max, Min),
            ( between(1, 6, Die), weight(Mine, Die, Weight) ),
            Outcomes).

% The throws that move the stone Die, if there is one, and no other; or those between two stones
% that are left, where Die is the least of them.
weight(Stones, Die, Weight) :-
    below(Die, Stones, Lower),
    above(Die, Stones, Higher),
    (   left(Die, Stones)
    ->  ends(Lower, Higher, Die, Weight)
    ;   Lower =:= Die - 1,
        Lower >= 1,
        Higher =< 6,
        Weight is Higher - Die
    ).

% The lowest stone also moves for all throws below it, the highest for all above.
ends(Lower, Higher, Die, Weight) :-
    (   Lower =:= 0
    ->  Below is Die - 1
    ;   Below = 0
    ),
    (   Higher =:= 7
    ->  Above is 6 - Die
    ;   Above = 0
    ),
    Weight is 1 + Below + Above.

left(Number, Stones) :-
    arg(Number, Stones, Cell),
    Cell > 0.

% The next lower stone that is left, or 0; the next higher one, or 7.
below(Number, Stones, Lower) :-
    Number1 is Number - 1,
    (   ( Number1 =:= 0 ; left(Number1, Stones) )
    ->  Lower = Number1
    ;   below(Number1, Stones, Lower)
    ).

above(Number, Stones, Higher) :-
    Number1 is Number + 1,
    (   ( Number1 =:= 7 ; left(Number1, Stones) )
    ->  Higher = Number1
    ;   above(Number1, Stones, Higher)
    ).

% A move is written as the number of the stone and the name of the square, 3-c4.
move(pos(Player, Die, Max, Min), Number-Square, pos(Other, roll, Max1, Min1)) :-
    integer(Die),
    side(Player, Other, Forward),
    swap(Player, Max, Min, Mine, Theirs),
    moving(Die, Mine, Number),
    arg(Number, Mine, From),
    forward(DX, DY),
    X is DX * Forward,
    Y is DY * Forward,
    step(5, 5, From, X, Y, To),
    square_name(5, To, Square),
    take(Mine, To, Mine1),
    put_arg(Number, Mine1, To, Mine2),
    take(Theirs, To, Theirs1),
    swap(Player, Mine2, Theirs1, Max1, Min1).

side(max, min, 1).
side(min, max, -1).

% As MAX sees it; MIN the other way round.
forward(1, 0).
forward(0, -1).
forward(1, -1).

% What is MAX's and MIN's, as the player's own and the other's, or the other way round.
swap(max, A, B, A, B).
swap(min, A, B, B, A).

moving(Die, Stones, Number) :-
    (   left(Die, Stones)
    ->  Number = Die
    ;   below(Die, Stones, Number),
        Number >= 1
    ;   above(Die, Stones, Number),
        Number =< 6
    ).

take(Stones, Cell, Stones1) :-
    (   args_with(Stones, Cell, Number)
    ->  put_arg(Number, Stones, 0, Stones1)
    ;   Stones1 = Stones
    ).

terminal(Pos) :-
    outcome(Pos, _).

outcome(pos(_, _, Max, Min), win(Winner)) :-
    (   beaten(Min, Max, 5)
    ->  Winner = max
    ;   beaten(Max, Min, 21),
        Winner = min
    ).

% Its corner is taken, or no stone of it is left.
beaten(Stones, Others, Corner) :-
    (   args_with(Others, Corner, _)
    ->  true
    ;   Stones == s(0, 0, 0, 0, 0, 0)
    ).

% A stone is worth the throws that may move it, and twice as much for every square nearer to its
% aim; the value is the difference as a part of the sum.
static_eval(Pos, Value) :-
    (   outcome(Pos, Result)
    ->  win_value(Result, Value)
    ;   Pos = pos(_, _, Max, Min),
        worth(1, Max, 5, 0, MaxWorth),
        worth(1, Min, 21, 0, MinWorth),
        Value is (MaxWorth - MinWorth) / (MaxWorth + MinWorth)
    ).

win_value(win(max), 1).
win_value(win(min), -1).

worth(Number, Stones, Corner, Worth0, Worth) :-
    (   Number =< 6
    ->  arg(Number, Stones, Cell),
        stone_worth(Cell, Number, Stones, Corner, Worth1),
        Worth2 is Worth0 + Worth1,
        Number1 is Number + 1,
        worth(Number1, Stones, Corner, Worth2, Worth)
    ;   Worth = Worth0
    ).

stone_worth(Cell, Number, Stones, Corner, Worth) :-
    (   Cell > 0
    ->  below(Number, Stones, Lower),
        above(Number, Stones, Higher),
        X is abs((Cell - 1) mod 5 - (Corner - 1) mod 5),
        Y is abs((Cell - 1) // 5 - (Corner - 1) // 5),
        Worth is (Higher - Lower - 1) << (4 - max(X, Y))
    ;   Worth = 0
    ).

value_range(-1, 1).
acyclic.

% The notation: the rows from above, 1 to 6 for MAX's stones, a to f for MIN's; who is to move; the
% roll, or roll.
write_position(pos(Player, Roll, Max, Min), Text) :-
    rows(Max, Min, Rows),
    maplist([Row, Word]>>atomic_list_concat(Row, Word), Rows, Words),
    atomic_list_concat(Words, '/', Board),
    atomic_list_concat([Board, Player, Roll], ' ', Text).

read_position(Text, pos(Player, Roll, Max, Min)) :-
    atomic_list_concat([Board, Player, Die], ' ', Text),
    side(Player, _, _),
    roll(Die, Roll),
    atomic_list_concat(Words, '/', Board),
    maplist(atom_chars, Words, Rows),
    maplist([Row]>>length(Row, 5), Rows),
    reverse(Rows, FromBelow),
    append(FromBelow, Chars),
    length(Chars, 25),
    forall(member(Char, Chars), stone(Char, _, _)),
    stones(max, Chars, Max),
    stones(min, Chars, Min),
    \+ ( beaten(Max, Min, 21), beaten(Min, Max, 5) ).

roll(roll, roll).
roll(Die, Roll) :-
    atom_number(Die, Roll),
    memberchk(Roll, [1, 2, 3, 4, 5, 6]).

% Where the stones of a side stand; each may stand on one square.
stones(Player, Chars, Stones) :-
    findall(Cell,
            ( between(1, 6, Number),
              stone(Char, Player, Number),
              findall(I, nth1(I, Chars, Char), Places),
              place(Places, Cell) ),
            Cells),
    length(Cells, 6),
    Stones =.. [s|Cells].

place([], 0).
place([Cell], Cell).

stone('1', max, 1).
stone('2', max, 2).
stone('3', max, 3).
stone('4', max, 4).
stone('5', max, 5).
stone('6', max, 6).
stone(a, min, 1).
stone(b, min, 2).
stone(c, min, 3).
stone(d, min, 4).
stone(e, min, 5).
stone(f, min, 6).
stone('.', none, 0).

rows(Max, Min, Rows) :-
    findall(Row,
            ( member(First, [21, 16, 11, 6, 1]),
              Last is First + 4,
              findall(Char, ( between(First, Last, I), char_at(I, Max, Min, Char) ), Row) ),
            Rows).

char_at(I, Max, Min, Char) :-
    (   args_with(Max, I, Number)
    ->  stone(Char, max, Number)
    ;   args_with(Min, I, Number)
    ->  stone(Char, min, Number)
    ;   Char = '.'
    ).

show(pos(Player, Roll, Max, Min), Lines) :-
    rows(Max, Min, Rows),
    findall(Line,
            ( nth0(I, Rows, Row),
              Y is 5 - I,
              atomic_list_concat([Y|Row], ' ', Line) ),
            Board),
    turn(Roll, Player, Turn),
    append(Board, ['  a b c d e', Turn], Lines).

turn(Roll, Player, Text) :-
    (   Roll == roll
    ->  atom_concat(Player, ' throws', Text)
    ;   atomic_list_concat([Player, ' has thrown ', Roll], Text)
    ).
