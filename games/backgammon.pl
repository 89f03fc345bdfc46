% Backgammon without the cube: 15 men a side race home over 24 points and are borne off.  A
% man alone on a point may be hit and has to enter again from the bar; two or more block it.
% Both dice are played where that is possible, else the larger where it is; a double is played
% four times.  Whoever is first to bear off all men wins: a gammon, which counts twice, where
% the loser has borne off none, a backgammon, three times, where he moreover has a man on the
% bar or in the winner's home.  White is MAX.
% Source: Backgammon Galore, Rules of Backgammon, www.bkgm.com/rules.html; Hypergammon, three
% men a side, and Nackgammon by the pages on variants there.

:- use_module(library(alphorn)).
:- use_module(library(dice)).
:- use_module(library(tables)).

:- param(start, standard, [standard, hypergammon, nackgammon], "where the men stand at first").
:- param(gammons, yes, [yes, no], "whether gammons and backgammons count more than a win").

% Distinct positions after each roll of the start: 447 over the 21 rolls; a Python program that
% tries the dice in every order finds the same.
:- expect(holds((read_position('24(2) 13(5) 8(3) 6(5) / 24(2) 13(5) 8(3) 6(5) white', P),
                 chance(P, Outcomes),
                 findall(N, ( member(_-Q, Outcomes),
                              aggregate_all(count, move(Q, _, _), N) ), Counts),
                 Counts == [42, 15,75, 16,17,73, 14,18,17,52, 8,8,9,9,4, 10,14,14,14,7,11]))).
:- expect(holds((initial(P), chance(P, Outcomes), length(Outcomes, 30)))).
% Both dice if one order allows it; the larger if either can be played, but not both; none.
:- expect(holds((read_position('11 / 15(2) 1 white 5-1', P),
                 findall(Label, move(P, Label, _), [[11/6,6/5]])))).
:- expect(holds((read_position('16 / 20(2) white 6-5', P),
                 findall(Label, move(P, Label, _), [[16/10]])))).
:- expect(holds((read_position('bar 6 / 6(2) 5(2) white 6-5', P),
                 findall(Label, move(P, Label, _), [pass])))).
% A larger die bears off from the highest point only.
:- expect(holds((read_position('5 2 / 1 white 4-3', P),
                 findall(Label, move(P, Label, _), [[5/2,2/off],[5/1,2/off]])))).
% What the game is worth: the loser has a man off, none, none and one in White's home.
:- expect(holds((read_position('- / 24 6(13) over', P), outcome(P, score(1))))).
:- expect(holds((read_position('- / 18 6(14) over', P), outcome(P, score(2))))).
:- expect(holds((read_position('- / bar 6(14) over', P), outcome(P, score(3))))).
:- expect(holds((read_position('6(14) / - over', P), outcome(P, score(-1))))).
% Notation.
:- expect(holds((read_position('24 22 13(2) 10 6(2) / 18 17(2) 14 11 5(2) 2 white 1-1', P),
                 move(P, Label, _), shown_move(P, Label, '24/23*/22 13/11*')))).
:- expect(fails(read_position('24 / 1 white', _))).
:- expect(fails(read_position('24(16) / 2 white', _))).

% start, where the opening roll is not known yet; roll(Side, Board), where Side is to roll;
% play(Side, High, Low, Board), where it has rolled; over(Winner, Board).  Side is w or b.
% Board has 26 places, point P as White counts being place P + 1: so many men of White, or
% Black's as a negative number.  White moves down and enters from place 26, which is his bar,
% Black moves up and enters from place 1.
initial(start).

max_to_move(play(w, _, _, _)).

terminal(over(_, _)).

outcome(over(Side, Board), score(Score)) :-
    score(Side, Board, Score).

% The opening roll: the higher die of two that differ begins, with both of them.
chance(start, Outcomes) :-
    start_board(Board),
    opening_dice(6, Rolls),
    outcomes(Rolls, rolled(w, Board), Ours),
    outcomes(Rolls, rolled(b, Board), Theirs),
    append(Ours, Theirs, Outcomes).
chance(roll(Side, Board), Outcomes) :-
    two_dice(Rolls),
    outcomes(Rolls, rolled(Side, Board), Outcomes).

rolled(Side, Board, roll(High, Low), play(Side, High, Low, Board)).

start_board(Board) :-
    param(start, Start),
    men_at_start(Start, _, Men),
    men_board(24, Men, Men, Board).

% How many men a side has, and where: Point-Number, as either side counts.
men_at_start(standard, 15, [24-2, 13-5, 8-3, 6-5]).
men_at_start(hypergammon, 3, [24-1, 23-1, 22-1]).
men_at_start(nackgammon, 15, [24-2, 23-2, 13-4, 8-3, 6-4]).

men_of_a_side(Count) :-
    param(start, Start),
    men_at_start(Start, Count, _).

% sign(Side, Sign): Sign is that of a side's men.
sign(w, 1).
sign(b, -1).

other(w, b).
other(b, w).

% place(Sign, P, I): what a side counts as point P is place I of the board.
place(Sign, P, I) :-
    (   Sign > 0
    ->  I is P + 1
    ;   I is 26 - P
    ).

% A move is a whole turn, [13/11, 6/5], the step from the highest point first, with bar and
% off; and there is one for each position that can be reached.
move(play(Side, High, Low, Board), Label, Next) :-
    sign(Side, Sign),
    points(25, Sign, Board, Points),
    plays(High, Low, Points, Sign, Board, Plays),
    (   Plays == []
    ->  Label = pass,
        other(Side, Other),
        Next = roll(Other, Board)
    ;   member(Play, Plays),
        Play = Board1-Label,
        next(Side, Sign, Board1, Label, Next)
    ).

next(Side, Sign, Board, Label, Next) :-
    (   ends_off(Label),
        points(6, Sign, Board, Points),
        Points == []
    ->  Next = over(Side, Board)
    ;   other(Side, Other),
        Next = roll(Other, Board)
    ).

ends_off([_/Last|Steps]) :-
    (   Steps == []
    ->  Last == off
    ;   ends_off(Steps)
    ).

% The points where the side has men, from point P down.
points(P, Sign, Board, Points) :-
    (   P =:= 0
    ->  Points = []
    ;   place(Sign, P, I),
        arg(I, Board, Men),
        P1 is P - 1,
        points(P1, Sign, Board, Rest),
        (   Men * Sign > 0
        ->  Points = [P|Rest]
        ;   Points = Rest
        )
    ).

% Plays are Board-Label, each Board once.
plays(High, Low, Points, Sign, Board, Plays) :-
    (   High =:= Low
    ->  doubles(4, High, Points, Sign, Board, Plays)
    ;   sources(Points, High, Points, Sign, Board, Highs),
        sources(Points, Low, Points, Sign, Board, Lows),
        pairs(Highs, High, Low, [], Points, Sign, Board, [], Plays1),
        pairs(Lows, Low, High, Highs, Points, Sign, Board, Plays1, Plays2),
        (   Plays2 \== []
        ->  sort(1, @<, Plays2, Plays)
        ;   Highs \== []
        ->  singles(Highs, High, Sign, Board, Plays)
        ;   singles(Lows, Low, Sign, Board, Plays)
        )
    ).

% The points from which the die can be played.
sources([], _, _, _, _, []).
sources([From|Froms], Die, Points, Sign, Board, Sources) :-
    sources(Froms, Die, Points, Sign, Board, Rest),
    (   can_step(From, Die, Points, Sign, Board, _)
    ->  Sources = [From|Rest]
    ;   Sources = Rest
    ).

% Die1 from one of Froms, then Die2, but not from Elsewhere: from those points Die2 can be
% played first and Die1 then, which comes to the same.  What is left twice is a man who goes
% on, by one point or another in between.
pairs([], _, _, _, _, _, _, Plays, Plays).
pairs([From|Froms], Die1, Die2, Elsewhere, Points, Sign, Board, Plays0, Plays) :-
    target(From, Die1, To),
    take(From, To, Sign, Board, Board1),
    points_after(From, To, Sign, Board1, Points, Points1),
    seconds(Points1, Die2, Elsewhere, From, To, Points1, Sign, Board1, Plays0, Plays1),
    pairs(Froms, Die1, Die2, Elsewhere, Points, Sign, Board, Plays1, Plays).

seconds([], _, _, _, _, _, _, _, Plays, Plays).
seconds([From|Froms], Die, Elsewhere, From1, To1, Points, Sign, Board, Plays0, Plays) :-
    (   can_step(From, Die, Points, Sign, Board, To),
        \+ memberchk(From, Elsewhere)
    ->  take(From, To, Sign, Board, Board1),
        step_label(From, To, Step),
        step_label(From1, To1, Step1),
        (   From1 >= From
        ->  Label = [Step1, Step]
        ;   Label = [Step, Step1]
        ),
        Plays1 = [Board1-Label|Plays0]
    ;   Plays1 = Plays0
    ),
    seconds(Froms, Die, Elsewhere, From1, To1, Points, Sign, Board, Plays1, Plays).

singles([], _, _, _, []).
singles([From|Froms], Die, Sign, Board, Plays) :-
    target(From, Die, To),
    take(From, To, Sign, Board, Board1),
    step_label(From, To, Step),
    singles(Froms, Die, Sign, Board, Rest),
    Plays = [Board1-[Step]|Rest].

% As many of N steps as can be made, never from a higher point than the one before: every
% play of a double has one such order, and so is found once.
doubles(N, Die, Points, Sign, Board, Plays) :-
    runs(Points, N, 25, Die, Points, Sign, Board, [], [], Plays1),
    (   Plays1 == [],
        N > 1
    ->  N1 is N - 1,
        doubles(N1, Die, Points, Sign, Board, Plays)
    ;   Plays = Plays1
    ).

runs([], _, _, _, _, _, _, _, Plays, Plays).
runs([From|Froms], N, Highest, Die, Points, Sign, Board, Steps, Plays0, Plays) :-
    (   From =< Highest,
        can_step(From, Die, Points, Sign, Board, To)
    ->  take(From, To, Sign, Board, Board1),
        step_label(From, To, Step),
        run_on(N, From, To, Die, Points, Sign, Board1, [Step|Steps], Plays0, Plays1)
    ;   Plays1 = Plays0
    ),
    runs(Froms, N, Highest, Die, Points, Sign, Board, Steps, Plays1, Plays).

run_on(N, From, To, Die, Points, Sign, Board, Steps, Plays0, Plays) :-
    (   N =:= 1
    ->  backwards(Steps, [], Label),
        Plays = [Board-Label|Plays0]
    ;   N1 is N - 1,
        points_after(From, To, Sign, Board, Points, Points1),
        runs(Points1, N1, From, Die, Points1, Sign, Board, Steps, Plays0, Plays)
    ).

backwards([], Label, Label).
backwards([Step|Steps], Label0, Label) :-
    backwards(Steps, [Step|Label0], Label).

% From may be left with the die, for To: men on the bar come first, men are borne off when
% all are home, with a larger die only from the highest point, and the other side's men
% block where there are two of them.
can_step(From, Die, [Highest|_], Sign, Board, To) :-
    (   Highest =:= 25
    ->  From =:= 25
    ;   true
    ),
    target(From, Die, To),
    (   To =:= 0
    ->  Highest =< 6,
        (   From =:= Die
        ->  true
        ;   From =:= Highest
        )
    ;   place(Sign, To, J),
        arg(J, Board, There),
        There * Sign >= -1
    ).

target(From, Die, To) :-
    To is max(From - Die, 0).

% A man goes From point To point, and may hit.
take(From, To, Sign, Board, Board1) :-
    place(Sign, From, I),
    arg(I, Board, Here),
    Left is Here - Sign,
    (   To =:= 0
    ->  put_arg(I, Board, Left, Board1)
    ;   place(Sign, To, J),
        arg(J, Board, There),
        (   There =:= -Sign
        ->  place(Sign, 0, Bar),
            arg(Bar, Board, Hit0),
            Hit is Hit0 - Sign,
            put_args(Board, [I-Left, J-Sign, Bar-Hit], Board1)
        ;   More is There + Sign,
            put_args(Board, [I-Left, J-More], Board1)
        )
    ).

% Points1 are the points with men on Board, once a man has gone From point To point.
points_after(From, To, Sign, Board, Points, Points1) :-
    place(Sign, From, I),
    arg(I, Board, Left),
    (   Left =:= 0
    ->  without(Points, From, Others)
    ;   Others = Points
    ),
    (   To =:= 0
    ->  Points1 = Others
    ;   with(Others, To, Points1)
    ).

without([P|Points], From, Others) :-
    (   P =:= From
    ->  Others = Points
    ;   without(Points, From, Rest),
        Others = [P|Rest]
    ).

with([], To, [To]).
with([P|Points], To, Points1) :-
    (   P > To
    ->  with(Points, To, Rest),
        Points1 = [P|Rest]
    ;   P =:= To
    ->  Points1 = [P|Points]
    ;   Points1 = [To, P|Points]
    ).

step_label(From, To, Step) :-
    (   From =:= 25
    ->  Step = bar/To
    ;   To =:= 0
    ->  Step = From/off
    ;   Step = From/To
    ).

% What the end of the game is worth: the winner's men are off.
score(Side, Board, Score) :-
    sign(Side, Sign),
    (   param(gammons, no)
    ->  Times = 1
    ;   times_won(Sign, Board, Times)
    ),
    Score is Sign * Times.

times_won(Sign, Board, Times) :-
    men_of_a_side(Count),
    Theirs is -Sign,
    count(25, Theirs, Board, 0, Left),
    (   Left < Count
    ->  Times = 1
    ;   points(25, Theirs, Board, Points),
        Points = [Highest|_],
        Highest > 18
    ->  Times = 3
    ;   Times = 2
    ).

% The men from point P down.
count(P, Sign, Board, Count0, Count) :-
    (   P =:= 0
    ->  Count = Count0
    ;   place(Sign, P, I),
        arg(I, Board, Men),
        Count1 is Count0 + max(Men * Sign, 0),
        P1 is P - 1,
        count(P1, Sign, Board, Count1, Count)
    ).

% An estimate by D. Kleinman, Vision Laughs at Counting, 1980: who is on roll wins with the
% chance (1 + erf(X)) / 2, X = (Lead + 4) / sqrt(Pips - 4), where Pips are those of both sides
% together and Lead is how many fewer one has; tanh is near enough to erf.  It is meant for a
% race.  Where the sides are still in contact, points and blots count as pips too.
static_eval(over(Side, Board), Value) :-
    score(Side, Board, Value).
static_eval(start, 0).
static_eval(roll(Side, Board), Value) :-
    estimate(Side, Board, Value).
static_eval(play(Side, _, _, Board), Value) :-
    estimate(Side, Board, Value).

estimate(Side, Board, Value) :-
    sign(Side, Sign),
    pips(w, Board, Ours),
    pips(b, Board, Theirs),
    (   contact(Board)
    ->  places(1, Board, 0, Shape)
    ;   Shape = 0
    ),
    Lead is Theirs - Ours + 4 * Sign + Shape,
    Value is tanh(1.2 * Lead / sqrt(max(Ours + Theirs - 4, 4))).

pips(Side, Board, Pips) :-
    sign(Side, Sign),
    pips(25, Sign, Board, 0, Pips).

pips(P, Sign, Board, Pips0, Pips) :-
    (   P =:= 0
    ->  Pips = Pips0
    ;   place(Sign, P, I),
        arg(I, Board, Men),
        Pips1 is Pips0 + P * max(Men * Sign, 0),
        P1 is P - 1,
        pips(P1, Sign, Board, Pips1, Pips)
    ).

% White's last man has not passed Black's last man.
contact(Board) :-
    points(25, 1, Board, Ours),
    points(25, -1, Board, Theirs),
    Ours = [P|_],
    Theirs = [Q|_],
    P + Q > 25.

places(I, Board, Shape0, Shape) :-
    (   I > 26
    ->  Shape = Shape0
    ;   arg(I, Board, Men),
        (   Men > 0
        ->  P is I - 1,
            worth(Men, P, Worth)
        ;   Men < 0
        ->  P is 26 - I,
            Number is -Men,
            worth(Number, P, Minus),
            Worth is -Minus
        ;   Worth = 0
        ),
        Shape1 is Shape0 + Worth,
        I1 is I + 1,
        places(I1, Board, Shape1, Shape)
    ).

% So many men of a side on what it counts as point P, in pips.
worth(Number, P, Worth) :-
    (   P =:= 25
    ->  Worth is -4 * Number
    ;   Number =:= 1
    ->  Worth is (P - 25) // 4
    ;   point_worth(P, Most),
        Worth is Most - 2 * max(Number - 4, 0)
    ).

% A point that is made, for the side.
point_worth(P, Worth) :-
    (   P < 4
    ->  Worth = 4
    ;   P < 8
    ->  Worth = 10
    ;   P < 19
    ->  Worth = 3
    ;   Worth = 6
    ).

value_range(Low, High) :-
    (   param(gammons, yes)
    ->  High = 3
    ;   High = 1
    ),
    Low is -High.

% The notation of a play, as 13/11* 6/5(2).
shown_move(play(Side, _, _, Board), Label, Text) :-
    (   Label == pass
    ->  Text = 'no play'
    ;   sign(Side, Sign),
        shown_steps(Label, Sign, Board, Text)
    ).

% The notation of a position: White's men / Black's men, each as its side counts, who is to
% play or to roll, and what was rolled.  The first position is start, and a game that has
% ended is over in the place of who is to roll.
%     24(2) 13(5) 8(3) 6(5) / 24(2) 13(5) 8(3) 6(5) white 3-1
%     bar 5(2) 1 / 4(3) black
%     - / 6(2) 3 over
write_position(start, start).
write_position(roll(Side, Board), Text) :-
    side_name(Side, Name),
    write_sides(Board, Sides),
    atomic_list_concat([Sides, Name], ' ', Text).
write_position(play(Side, High, Low, Board), Text) :-
    side_name(Side, Name),
    write_sides(Board, Sides),
    format(atom(Text), "~w ~w ~w-~w", [Sides, Name, High, Low]).
write_position(over(_, Board), Text) :-
    write_sides(Board, Sides),
    atomic_list_concat([Sides, over], ' ', Text).

side_name(w, white).
side_name(b, black).

read_position(Text, Pos) :-
    (   Text == start
    ->  Pos = start
    ;   member(Name, [white, black, over]),
        atomic_list_concat([Before, Roll], Name, Text),
        atom_concat(SidesText, ' ', Before),
        read_sides(SidesText, 24, Ours, Theirs),
        not_too_many(Ours),
        not_too_many(Theirs),
        men_board(24, Ours, Theirs, Board)
    ->  position(Name, Roll, Ours, Theirs, Board, Pos)
    ).

not_too_many(Men) :-
    pairs_values(Men, Numbers),
    sum_list(Numbers, Count),
    men_of_a_side(Most),
    Count =< Most.

position(over, '', [], [_|_], Board, over(w, Board)).
position(over, '', [_|_], [], Board, over(b, Board)).
position(white, Roll, [_|_], [_|_], Board, Pos) :-
    to_play(Roll, w, Board, Pos).
position(black, Roll, [_|_], [_|_], Board, Pos) :-
    to_play(Roll, b, Board, Pos).

to_play(Roll, Side, Board, Pos) :-
    (   Roll == ''
    ->  Pos = roll(Side, Board)
    ;   atom_concat(' ', Dice, Roll),
        atomic_list_concat(Texts, -, Dice),
        maplist(atom_number, Texts, [A, B]),
        memberchk(A, [1, 2, 3, 4, 5, 6]),
        memberchk(B, [1, 2, 3, 4, 5, 6]),
        High is max(A, B),
        Low is min(A, B),
        Pos = play(Side, High, Low, Board)
    ).

% Points 13 to 24 above, 12 to 1 below, as White counts.
show(Pos, Lines) :-
    (   Pos == start
    ->  start_board(Board)
    ;   functor(Pos, _, Arity),
        arg(Arity, Pos, Board)
    ),
    numlist(13, 24, Above),
    numlist(1, 12, Upward),
    reverse(Upward, Below),
    maplist(number_text, Above, AboveNumbers),
    maplist(cell_text(Board), Above, AboveCells),
    maplist(cell_text(Board), Below, BelowCells),
    maplist(number_text, Below, BelowNumbers),
    maplist(row, [AboveNumbers, AboveCells, BelowCells, BelowNumbers], Rows),
    maplist(side_line(Board), [w, b], Sides),
    status(Pos, Status),
    append([Rows, Sides, [Status]], Lines).

number_text(P, Text) :-
    format(atom(Text), "~t~w~4|", [P]).

cell_text(Board, P, Text) :-
    I is P + 1,
    arg(I, Board, Men),
    (   Men > 0
    ->  format(atom(Text), "~tw~w~4|", [Men])
    ;   Men < 0
    ->  Number is -Men,
        format(atom(Text), "~tb~w~4|", [Number])
    ;   Text = '   .'
    ).

row(Cells, Line) :-
    length(Left, 6),
    append(Left, Right, Cells),
    append([Left, ['  '], Right], Texts),
    atomic_list_concat(Texts, Line).

side_line(Board, Side, Line) :-
    sign(Side, Sign),
    place(Sign, 25, Bar),
    arg(Bar, Board, OnBar),
    count(25, Sign, Board, 0, Left),
    men_of_a_side(Count),
    Off is Count - Left,
    pips(Side, Board, Pips),
    upper_name(Side, Name),
    Number is abs(OnBar),
    atomic_list_concat([Name, ': ', Number, ' on the bar, ', Off, ' off, ', Pips, ' pips'], Line).

upper_name(w, 'White').
upper_name(b, 'Black').

status(start, 'the opening roll').
status(roll(Side, _), Status) :-
    upper_name(Side, Name),
    atom_concat(Name, ' to roll', Status).
status(play(Side, High, Low, _), Status) :-
    upper_name(Side, Name),
    atomic_list_concat([Name, ' to play ', High, -, Low], Status).
status(over(Side, _), Status) :-
    upper_name(Side, Name),
    atom_concat(Name, ' has won', Status).
