% Pig: roll the die as often as you dare.  What it shows is added to the turn total, but a 1 ends
% the turn with nothing; holding ends it and adds the turn total to the score.  Whoever holds with
% the target reached wins.  Values are the probability that MAX, who begins, wins.
% Source: J. Scarne, 1945; T. Neller and C. Presser, "Optimal Play of the Dice Game Pig", 2004.
%
% Nobody may hold with a turn total of 0.  Where score and turn total reach the target together,
% holding is the only move; so there are finitely many positions.
% Piglet, the same with a coin: -p sides=2 -p adds=one, and a small target.

:- use_module(library(alphorn)).

:- param(target, 100, 1..1000, "points that win").
:- param(sides, 6, 2..20, "sides of the die; two make it a coin").
:- param(adds, pips, [pips, one], "what a roll of more than 1 adds to the turn total").

:- expect(holds((initial(Pos), findall(Move, move(Pos, Move, _), [roll])))).
:- expect(holds((findall(Move-Next, move(pos(min, 40, 35, 12), Move, Next),
                         [roll-roll(min, 40, 35, 12), hold-pos(max, 40, 47, 0)])))).
:- expect(holds((chance(roll(min, 40, 35, 12), Outcomes),
                 Outcomes = [1-pos(max, 40, 35, 0), 1-pos(min, 40, 35, 14),
                             1-pos(min, 40, 35, 15), 1-pos(min, 40, 35, 16),
                             1-pos(min, 40, 35, 17), 1-pos(min, 40, 35, 18)]))).
:- expect(fails(chance(pos(max, 0, 0, 0), _))).
:- expect(holds((findall(Move, move(pos(max, 90, 35, 12), Move, _), [hold])))).
:- expect(holds((terminal(pos(min, 102, 35, 0)), outcome(pos(min, 102, 35, 0), win(max)),
                 static_eval(pos(min, 102, 35, 0), Value), Value =:= 1))).
:- expect(holds((terminal(pos(max, 35, 100, 0)), outcome(pos(max, 35, 100, 0), win(min)),
                 static_eval(pos(max, 35, 100, 0), Value), Value =:= 0))).
:- expect(holds((static_eval(pos(max, 35, 35, 0), Value), Value =:= 0.5))).
:- expect(holds((read_position('40 35 12 min', Pos), Pos == pos(min, 40, 35, 12)))).
:- expect(holds((read_position('40 35 12 min roll', Pos), Pos == roll(min, 40, 35, 12),
                 write_position(Pos, '40 35 12 min roll')))).
:- expect(value(pos(max, 99, 99, 0)) = 0.857142857142857).
:- expect(value(pos(max, 95, 97, 0)) = 0.784196996347).
:- expect(fails(read_position('40 100 12 min', _))).

% pos(Player to move, Score of MAX, Score of MIN, Turn total), or roll(...) of the same where the
% die falls.
initial(pos(max, 0, 0, 0)).

max_to_move(pos(max, _, _, _)).

move(pos(Player, Max, Min, Total), Move, Next) :-
    move(Player, Max, Min, Total, Move, Next).

move(Player, Max, Min, Total, roll, roll(Player, Max, Min, Total)) :-
    param(target, Target),
    score(Player, Max, Min, Score),
    Score + Total < Target.
move(Player, Max, Min, Total, hold, Next) :-
    Total > 0,
    held(Player, Max, Min, Total, Max1, Min1),
    other(Player, Other),
    Next = pos(Other, Max1, Min1, 0).

score(max, Max, _, Max).
score(min, _, Min, Min).

% Both scores once the turn total is held.
held(max, Max, Min, Total, Score, Min) :-
    Score is Max + Total.
held(min, Max, Min, Total, Max, Score) :-
    Score is Min + Total.

% A 1 passes the die on.
chance(roll(Player, Max, Min, Total), [1-pos(Other, Max, Min, 0)|Outcomes]) :-
    other(Player, Other),
    findall(Weight-pos(Player, Max, Min, Sum),
            ( added(Points, Weight), Sum is Total + Points ),
            Outcomes).

% Weight rolls of the die add Points.
added(Points, Weight) :-
    param(sides, Sides),
    (   param(adds, pips)
    ->  between(2, Sides, Points),
        Weight = 1
    ;   Points = 1,
        Weight is Sides - 1
    ).

other(max, min).
other(min, max).

terminal(Pos) :-
    outcome(Pos, _).

outcome(pos(_, Max, Min, _), win(Winner)) :-
    param(target, Target),
    (   Max >= Target
    ->  Winner = max
    ;   Min >= Target,
        Winner = min
    ).

% MIN's way to the target as a part of both ways, as if the turn total were held: 1 and 0 at the
% end.
static_eval(pos(Player, Max, Min, Total), Value) :-
    estimate(Player, Max, Min, Total, Value).
static_eval(roll(Player, Max, Min, Total), Value) :-
    estimate(Player, Max, Min, Total, Value).

estimate(Player, Max, Min, Total, Value) :-
    held(Player, Max, Min, Total, Max1, Min1),
    param(target, Target),
    MaxWay is max(0, Target - Max1),
    MinWay is max(0, Target - Min1),
    Value is MinWay / (MaxWay + MinWay).

value_range(0, 1).

% The notation: both scores, MAX's first, the turn total, who is to move; then roll where the die
% falls.
write_position(pos(Player, Max, Min, Total), Text) :-
    atomic_list_concat([Max, Min, Total, Player], ' ', Text).
write_position(roll(Player, Max, Min, Total), Text) :-
    atomic_list_concat([Max, Min, Total, Player, roll], ' ', Text).

read_position(Text, Pos) :-
    atomic_list_concat([A, B, C, Player|Rest], ' ', Text),
    maplist(natural, [A, B, C], [Max, Min, Total]),
    other(Player, _),
    possible(Player, Max, Min, Total),
    die(Rest, Player, Max, Min, Total, Pos).

natural(Text, Number) :-
    atom_number(Text, Number),
    integer(Number),
    Number >= 0.

% Nobody has won but, perhaps, the one who has just held.
possible(Player, Max, Min, Total) :-
    param(target, Target),
    score(Player, Max, Min, Score),
    Score < Target,
    (   max(Max, Min) < Target
    ->  true
    ;   Total =:= 0
    ).

die([], Player, Max, Min, Total, pos(Player, Max, Min, Total)).
die([roll], Player, Max, Min, Total, roll(Player, Max, Min, Total)) :-
    param(target, Target),
    score(Player, Max, Min, Score),
    Score + Total < Target,
    max(Max, Min) < Target.

show(pos(Player, Max, Min, Total), Lines) :-
    lines(Player, Max, Min, Total, 'to move', Lines).
show(roll(Player, Max, Min, Total), Lines) :-
    lines(Player, Max, Min, Total, 'rolls', Lines).

lines(Player, Max, Min, Total, What, [First, Second]) :-
    param(target, Target),
    format(atom(First), "max ~w, min ~w of ~w", [Max, Min, Target]),
    format(atom(Second), "~w ~w, turn total ~w", [Player, What, Total]).
