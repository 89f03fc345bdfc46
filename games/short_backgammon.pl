% Short backgammon: backgammon on a small board, with few men and dice of few sides, so that
% every position can be solved.  All men stand on their side's highest point; the home board
% is the nearer half.  A man alone on a point may be hit and has to enter again from the bar;
% two or more block it.  Both dice are played where that is possible, else the larger where it
% is.  Whoever is first to bear off all men wins.  White is MAX and rolls first.
% Source: the rules of backgammon, as in backgammon.pl; the small boards are ours.

:- use_module(library(alphorn)).
:- use_module(library(dice)).
:- use_module(library(tables)).

:- param(points, 6, 4..12, "number of points").
:- param(men, 2, 1..5, "men of each side").
:- param(sides, 3, 2..6, "sides of a die").
:- param(dice, 2, 1..2, "number of dice").
:- param(doubles, 4, [2, 4], "how many times a double is played").

% A Python program finds the same positions: 7,315 that can be reached, 65,231 with three men.
:- expect(holds((initial(P), chance(P, Outcomes),
                 findall(W-N, ( member(W-Q, Outcomes),
                                aggregate_all(count, move(Q, _, _), N) ), Counts),
                 Counts == [1-3, 2-2, 1-1, 2-2, 2-1, 1-1]))).
% Both dice if one order allows it; the larger if either can be played, but not both; none.
:- expect(holds((read_position('6 / 4(2) white 3-2', P),
                 findall(Label, move(P, Label, _), [[6/4,4/1]])))).
:- expect(holds((read_position('6 / 5(2) white 3-1', P),
                 findall(Label, move(P, Label, _), [[6/3]])))).
:- expect(holds((read_position('bar 1 / 1(2) white 1-1', P),
                 findall(Label, move(P, Label, _), [pass])))).
:- expect(holds((read_position('5(2) / 5 3 white 2-1', P), move(P, Label, Next),
                 shown_move(P, Label, '5/4* 5/3'),
                 write_position(Next, '4 3 / bar 5 black')))).
:- expect(holds((read_position('- / 6(2) over', P), outcome(P, win(max))))).
:- expect(fails(read_position('6 / 1 white', _))).
:- expect(fails(read_position('6 / 6 white 4-1', _))).
:- expect(value = 0.096297145557).

% roll(Side, Board), where Side is to roll; play(Side, Dice, Board), where it has the numbers
% Dice to play, the larger first; over(Winner, Board).  Side is w or b; library(tables)
% describes the board.
initial(roll(w, Board)) :-
    param(points, Points),
    param(men, Count),
    Men = [Points-Count],
    men_board(Points, Men, Men, Board).

max_to_move(play(w, _, _)).

terminal(over(_, _)).

outcome(over(w, _), win(max)).
outcome(over(b, _), win(min)).

chance(roll(Side, Board), Outcomes) :-
    param(sides, Sides),
    param(dice, Number),
    rolls(Number, Sides, Rolls),
    outcomes(Rolls, rolled(Side, Board), Outcomes).

rolls(1, Sides, Rolls) :-
    die(Sides, Rolls).
rolls(2, Sides, Rolls) :-
    two_dice(Sides, Rolls).

rolled(Side, Board, Roll, play(Side, Dice, Board)) :-
    numbers(Roll, Dice).

numbers(Roll, Dice) :-
    (   Roll = roll(High, Low)
    ->  (   High > Low
        ->  Dice = [High, Low]
        ;   param(doubles, Times),
            findall(High, between(1, Times, _), Dice)
        )
    ;   Dice = [Roll]
    ).

sign(w, 1).
sign(b, -1).

other(w, b).
other(b, w).

% A move is a whole turn, [6/5, 4/off]; there is one for each position that can be reached.
move(play(Side, Dice, Board), Label, Next) :-
    sign(Side, Sign),
    findall(turn(Rank, Reached, Made), turn(Dice, Sign, Board, Rank, Reached, Made), Turns),
    sort(1, @>=, Turns, Sorted),
    Sorted = [turn(Best, _, _)|_],
    of_rank(Sorted, Best, Allowed),
    sort(1, @<, Allowed, Distinct),
    member(Play, Distinct),
    Play = Board1-Steps,
    label(Steps, Label),
    next(Side, Sign, Board1, Next).

of_rank([], _, []).
of_rank([turn(Rank, Board, Steps)|Turns], Best, Allowed) :-
    (   Rank == Best
    ->  of_rank(Turns, Best, Rest),
        Allowed = [Board-Steps|Rest]
    ;   Allowed = []
    ).

label(Steps, Label) :-
    (   Steps == []
    ->  Label = pass
    ;   sort(0, @>=, Steps, Label)
    ).

next(Side, Sign, Board, Next) :-
    men_of(Board, Sign, Men),
    (   Men == []
    ->  Next = over(Side, Board)
    ;   other(Side, Other),
        Next = roll(Other, Board)
    ).

% The dice in one order, as far as they go.  Of all turns those of the highest rank are
% allowed: with the most steps, and of single steps those with the larger die.
turn(Dice, Sign, Board, Rank, Board1, Steps) :-
    order(Dice, Order),
    steps(Order, Sign, Board, Board1, Steps),
    length(Steps, Number),
    rank(Number, Order, Rank).

order(Dice, Dice).
order([High, Low], [Low, High]) :-
    High > Low.

rank(Number, [Die|_], Rank) :-
    (   Number =:= 1
    ->  Rank = rank(1, Die)
    ;   Rank = rank(Number, 0)
    ).

steps([], _, Board, Board, []).
steps([Die|Dice], Sign, Board, Board2, Steps) :-
    men_of(Board, Sign, Men),
    findall(From/To, step(Men, Die, Sign, Board, From, To), Possible),
    (   Possible == []
    ->  Board2 = Board,
        Steps = []
    ;   member(Step, Possible),
        Step = From/To,
        take(From, To, Sign, Board, Board1),
        named(From, FromName),
        named(To, ToName),
        steps(Dice, Sign, Board1, Board2, Rest),
        Steps = [FromName/ToName|Rest]
    ).

% The men on the bar and off the board have names in labels.
named(P, Name) :-
    param(points, Points),
    (   P > Points
    ->  Name = bar
    ;   P =:= 0
    ->  Name = off
    ;   Name = P
    ).

% A man may go From point To point with the die.
step(Men, Die, Sign, Board, From, To) :-
    Men = [Highest-_|_],
    member(Some, Men),
    Some = From-_,
    param(points, Points),
    (   Highest > Points
    ->  From =:= Highest
    ;   true
    ),
    To is max(From - Die, 0),
    (   To > 0
    ->  board_place(Board, Sign, To, I),
        arg(I, Board, There),
        There * Sign >= -1
    ;   Highest =< Points // 2,
        ( From =:= Die ; From =:= Highest )
    ->  true
    ).

take(From, To, Sign, Board, Board2) :-
    board_place(Board, Sign, From, I),
    arg(I, Board, Here),
    Left is Here - Sign,
    put_arg(I, Board, Left, Board1),
    (   To =:= 0
    ->  Board2 = Board1
    ;   enter(To, Sign, Board1, Board2)
    ).

% A man comes to a point, and may hit.
enter(To, Sign, Board, Board1) :-
    board_place(Board, Sign, To, J),
    arg(J, Board, There),
    (   There =:= -Sign
    ->  board_place(Board, Sign, 0, Bar),
        arg(Bar, Board, Hit0),
        Hit is Hit0 - Sign,
        put_args(Board, [J-Sign, Bar-Hit], Board1)
    ;   More is There + Sign,
        put_arg(J, Board, More, Board1)
    ).

% The lead in the race, as a part of what both sides together have still to go.
static_eval(over(w, _), 1).
static_eval(over(b, _), -1).
static_eval(roll(_, Board), Value) :-
    lead(Board, Value).
static_eval(play(_, _, Board), Value) :-
    lead(Board, Value).

lead(Board, Value) :-
    pips(Board, 1, Ours),
    pips(Board, -1, Theirs),
    Value is (Theirs - Ours) / (Theirs + Ours + 1).

pips(Board, Sign, Pips) :-
    men_of(Board, Sign, Men),
    sum_pips(Men, 0, Pips).

sum_pips([], Pips, Pips).
sum_pips([P-Number|Men], Pips0, Pips) :-
    Pips1 is Pips0 + P * Number,
    sum_pips(Men, Pips1, Pips).

value_range(-1, 1).

% The notation of a play, as 6/3* 2/off.
shown_move(play(Side, _, Board), Label, Text) :-
    (   Label == pass
    ->  Text = 'no play'
    ;   sign(Side, Sign),
        shown_steps(Label, Sign, Board, Text)
    ).

% The notation of a position is that of backgammon.pl: '6(2) / bar 3 white' where White is to
% roll, '6(2) / bar 3 white 3-1' (or 3, with one die) where he is to play, '- / 3 over' at the
% end.
write_position(roll(Side, Board), Text) :-
    side_name(Side, Name, _),
    write_sides(Board, Sides),
    atomic_list_concat([Sides, Name], ' ', Text).
write_position(play(Side, Dice, Board), Text) :-
    side_name(Side, Name, _),
    write_sides(Board, Sides),
    shown_dice(Dice, Shown),
    atomic_list_concat([Sides, Name, Shown], ' ', Text).
write_position(over(_, Board), Text) :-
    write_sides(Board, Sides),
    atomic_list_concat([Sides, over], ' ', Text).

shown_dice(Dice, Shown) :-
    (   Dice = [A, B|_]
    ->  atomic_list_concat([A, B], -, Shown)
    ;   Dice = [A],
        atomic_list_concat([A], Shown)
    ).

side_name(w, white, 'White').
side_name(b, black, 'Black').

read_position(Text, Pos) :-
    param(points, Points),
    member(Name, [white, black, over]),
    atomic_list_concat([Before, Roll], Name, Text),
    atom_concat(SidesText, ' ', Before),
    read_sides(SidesText, Points, Ours, Theirs),
    !,
    not_too_many(Ours),
    not_too_many(Theirs),
    men_board(Points, Ours, Theirs, Board),
    position(Name, Roll, Ours, Theirs, Board, Pos).

not_too_many(Men) :-
    pairs_values(Men, Numbers),
    sum_list(Numbers, Count),
    param(men, Most),
    Count =< Most.

position(over, '', [], [_|_], Board, over(w, Board)).
position(over, '', [_|_], [], Board, over(b, Board)).
position(white, Roll, [_|_], [_|_], Board, Pos) :-
    to_play(Roll, w, Board, Pos).
position(black, Roll, [_|_], [_|_], Board, Pos) :-
    to_play(Roll, b, Board, Pos).

to_play(Text, Side, Board, Pos) :-
    (   Text == ''
    ->  Pos = roll(Side, Board)
    ;   atom_concat(' ', DiceText, Text),
        atomic_list_concat(Texts, -, DiceText),
        maplist(atom_number, Texts, Numbers),
        sort(0, @>=, Numbers, Sorted),
        roll(Sorted, Roll),
        numbers(Roll, Dice),
        Pos = play(Side, Dice, Board)
    ).

% A roll that the dice can give.
roll(Numbers, Roll) :-
    param(sides, Sides),
    param(dice, Number),
    rolls(Number, Sides, Rolls),
    (   Numbers = [High, Low]
    ->  Roll = roll(High, Low)
    ;   Numbers = [Roll]
    ),
    memberchk(_-Roll, Rolls).

% The points from White's highest to 1, the men there, the men on the bars, what is to be done.
show(Pos, [Numbers, Row, Bars, Status]) :-
    functor(Pos, _, Arity),
    arg(Arity, Pos, Board),
    param(points, Points),
    findall(Text, ( down(Points, P), format(atom(Text), "~t~w~4|", [P]) ), NumberTexts),
    atomic_list_concat(NumberTexts, Numbers),
    findall(Text, ( down(Points, P), cell_text(Board, P, Text) ), CellTexts),
    atomic_list_concat(CellTexts, Row),
    on_bar(Board, 1, Ours),
    on_bar(Board, -1, Theirs),
    format(atom(Bars), "on the bar: White ~w, Black ~w", [Ours, Theirs]),
    status(Pos, Status).

down(Points, P) :-
    between(1, Points, I),
    P is Points + 1 - I.

cell_text(Board, P, Text) :-
    board_place(Board, 1, P, I),
    arg(I, Board, Men),
    (   Men > 0
    ->  format(atom(Text), "~tw~w~4|", [Men])
    ;   Men < 0
    ->  Number is -Men,
        format(atom(Text), "~tb~w~4|", [Number])
    ;   Text = '   .'
    ).

on_bar(Board, Sign, Number) :-
    param(points, Points),
    Bar is Points + 1,
    board_place(Board, Sign, Bar, I),
    arg(I, Board, Men),
    Number is abs(Men).

status(roll(Side, _), Status) :-
    side_name(Side, _, Name),
    atom_concat(Name, ' to roll', Status).
status(play(Side, Dice, _), Status) :-
    side_name(Side, _, Name),
    shown_dice(Dice, Shown),
    atomic_list_concat([Name, ' to play ', Shown], Status).
status(over(Side, _), Status) :-
    side_name(Side, _, Name),
    atom_concat(Name, ' has won', Status).
