% NAME: race with a die; choose which runner goes, and hit single runners.
%
% The rules: MAX begins. Each player has three runners at the start, point 0. A player throws the
% die, then one runner of the player goes this number of points. A runner may not go to a point
% with two or more runners of the other player. If one runner of the other player is there, it is
% hit and goes back to the start. A runner that passes the last point is home. If no runner can
% go, the player passes. The first player with all runners home wins.

:- use_module(library(alphorn)).
:- use_module(library(dice)).

% Change these numbers first: name, value, lowest..highest, meaning.
:- param(track, 14, 4..24, "the last point").
:- param(runners, 3, 1..6, "runners of each player").
:- param(sides, 6, 2..10, "sides of the die").
% The weights of the evaluation.
:- param(point, 10, 0..100, "worth of each point that a runner has gone").
:- param(single, 0, 0..100, "cost of a runner that stands alone on the way; try 5").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 6).
:- expect(perft(2) = 6).
:- expect(holds((chance(roll(max, [0], [0]), [1-pos(max, 1, [0], [0])|Rest]), length(Rest, 5)))).
:- expect(holds((findall(M, move(pos(max, 2, [0, 3, 13], [2, 5, 5]), M, _), [0-2, 13-home])))).
:- expect(holds(move(pos(max, 2, [0, 3], [2, 4]), 0-2, roll(min, [2, 3], [0, 4])))).
:- expect(holds(move(pos(min, 2, [5, 5], [3]), pass, roll(max, [5, 5], [3])))).
:- expect(best(pos(max, 3, [2, 4, 6], [7, 10, home]), 1) = 4-7).
:- expect(value(pos(max, 6, [10, home], [3, home]), 1) = 1000).
:- expect(fails(move(pos(max, 2, [0, 3], [5, 5]), 3-5, _))).

% A position is roll(Player to throw, Runners of MAX, Runners of MIN), or pos(Player to move, Number
% thrown, Runners of MAX, Runners of MIN). A runner is its point, or home. Runners are in order.
initial(roll(max, Start, Start)) :-
    param(runners, Count),
    findall(0, between(1, Count, _), Start).

max_to_move(pos(max, _, _, _)).

% The throw: each number has the same weight. Other dice go here.
chance(roll(Player, Max, Min), Outcomes) :-
    param(sides, Sides),
    die(Sides, Rolls),
    outcomes(Rolls, thrown(Player, Max, Min), Outcomes).

thrown(Player, Max, Min, Number, pos(Player, Number, Max, Min)).

% A move is written as two points: 3-5, 13-home. Without a move, the player passes.
move(pos(max, Number, Max, Min), Label, roll(min, Max1, Min1)) :-
    turn(Number, Max, Min, Label, Max1, Min1).
move(pos(min, Number, Max, Min), Label, roll(max, Max1, Min1)) :-
    turn(Number, Min, Max, Label, Min1, Max1).

turn(Number, Own, Others, Label, Own1, Others1) :-
    (   goes(Number, Own, Others, _, _, _, _)
    ->  goes(Number, Own, Others, From, To, Own1, Others1),
        Label = From-To
    ;   Label = pass,
        Own1 = Own,
        Others1 = Others
    ).

% One runner of Own goes. Another kind of move goes here.
goes(Number, Own, Others, From, To, Own1, Others1) :-
    sort(Own, Points),
    member(From, Points),
    integer(From),
    ahead(From, Number, To),
    selectchk(From, Own, Rest),
    enters(To, Others, Others1),
    msort([To|Rest], Own1).

ahead(From, Number, To) :-
    Sum is From + Number,
    param(track, Track),
    ( Sum =< Track -> To = Sum ; To = home ).

% Others1 is the runners of the other player after a runner goes to the point To.
enters(To, Others, Others1) :-
    (   To \== home,
        selectchk(To, Others, Rest)
    ->  \+ memberchk(To, Rest),
        msort([0|Rest], Others1)
    ;   Others1 = Others
    ).

terminal(Pos) :-
    outcome(Pos, _).

outcome(roll(_, Max, Min), win(Winner)) :-
    (   arrived(Max)
    ->  Winner = max
    ;   arrived(Min),
        Winner = min
    ).

arrived(Runners) :-
    \+ ( member(Runner, Runners), Runner \== home ).

% How good a position is for MAX. Add here what else is good to have. A win is worth 1000, so that
% the value of any other position lies between.
static_eval(roll(_, Max, Min), Value) :-
    lead(Max, Min, Value).
static_eval(pos(_, _, Max, Min), Value) :-
    lead(Max, Min, Value).

lead(Max, Min, Value) :-
    worth(Max, ForMax),
    worth(Min, ForMin),
    Value is max(-999, min(999, ForMax - ForMin)).

worth(Runners, Worth) :-
    param(point, Point),
    param(single, Single),
    aggregate_all(sum(Gone), ( member(Runner, Runners), gone(Runner, Gone) ), Sum),
    aggregate_all(count, single(Runners), Singles),
    Worth is Point * Sum - Single * Singles.

gone(Runner, Gone) :-
    (   Runner == home
    ->  param(track, Track),
        Gone is Track + 1
    ;   Gone = Runner
    ).

single(Runners) :-
    select(Runner, Runners, Rest),
    Runner \== 0,
    Runner \== home,
    \+ memberchk(Runner, Rest).

value_range(-1000, 1000).

show(roll(_, Max, Min), Lines) :-
    track(Max, Min, Lines).
show(pos(_, _, Max, Min), Lines) :-
    track(Max, Min, Lines).

track(Max, Min, [Points, First, Second]) :-
    param(track, Track),
    numlist(0, Track, Numbers),
    append(Numbers, [home], All),
    line('point', All, Points),
    findall(Mark, ( member(Point, All), mark(Point, Max, Mark) ), MaxMarks),
    findall(Mark, ( member(Point, All), mark(Point, Min, Mark) ), MinMarks),
    line('MAX  ', MaxMarks, First),
    line('MIN  ', MinMarks, Second).

% The number of runners on a point.
mark(Point, Runners, Mark) :-
    aggregate_all(count, member(Point, Runners), Count),
    ( Count =:= 0 -> Mark = '.' ; Mark = Count ).

line(Title, Marks, Line) :-
    findall(Text, ( member(Mark, Marks), format(atom(Text), " ~t~w~3|", [Mark]) ), Texts),
    atomic_list_concat([Title|Texts], Line).
