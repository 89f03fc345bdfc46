% NAME: throw dice to take stones; keep the stones before a die shows a 1.
%
% The rules: a heap of stones lies in the middle. MAX begins. A player throws one or two dice. If no
% die shows a 1, the player takes as many stones from the heap as the dice show together, and puts
% them on a plate. Then the player throws again, or keeps the stones of the plate, and the turn
% ends. If a die shows a 1, the stones of the plate go back to the heap, one stone of the heap is
% lost, and the turn ends. The game ends when the heap is empty: the player keeps the stones of the
% plate. The player with more stones wins.

:- use_module(library(alphorn)).
:- use_module(library(dice)).

% Change these numbers first: name, value, lowest..highest, meaning.
:- param(heap, 50, 10..200, "stones in the heap").
:- param(sides, 6, 3..10, "sides of a die").
% The weights of the evaluation.
:- param(kept, 10, 0..100, "worth of a stone that is kept").
:- param(plate, 2, 0..100, "worth of a stone on the plate").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 2).
:- expect(holds((initial(Pos), findall(M, move(Pos, M, _), [one, two])))).
:- expect(holds((move(pos(max, 20, 5, 10, 8), keep, pos(min, 20, 0, 15, 8))))).
:- expect(holds((chance(throw(max, one, 20, 5, 10, 8), [1-pos(min, 24, 0, 10, 8)|Rest]),
                 Rest = [1-pos(max, 18, 7, 10, 8)|_]))).
:- expect(best(pos(max, 30, 40, 0, 0), 3) = keep).
:- expect(value(pos(max, 1, 9, 30, 19)) = 1000).
:- expect(fails(move(pos(max, 20, 0, 10, 8), keep, _))).
:- expect(fails(terminal(pos(max, 1, 0, 10, 8)))).

% A position is pos(Player to move, Heap, Plate, Stones of MAX, Stones of MIN), or throw(Player, one
% or two dice, Heap, Plate, Stones of MAX, Stones of MIN) while the dice fall.
initial(pos(max, Heap, 0, 0, 0)) :-
    param(heap, Heap).

max_to_move(pos(max, _, _, _, _)).

% A move is one or two (how many dice to throw), or keep. A move such as three goes here.
move(pos(Player, Heap, Plate, Max, Min), Dice, throw(Player, Dice, Heap, Plate, Max, Min)) :-
    member(Dice, [one, two]).
move(pos(Player, Heap, Plate, Max, Min), keep, pos(Other, Heap, 0, Max1, Min1)) :-
    Plate > 0,
    keeps(Player, Plate, Max, Min, Other, Max1, Min1).

keeps(max, Plate, Max, Min, min, Max1, Min) :- Max1 is Max + Plate.
keeps(min, Plate, Max, Min, max, Max, Min1) :- Min1 is Min + Plate.

% The throw: library(dice) lists the throws with their weights.
chance(throw(Player, Dice, Heap, Plate, Max, Min), Outcomes) :-
    throws(Dice, Throws),
    outcomes(Throws, thrown(Player, Heap, Plate, Max, Min), Outcomes).

throws(one, Throws) :- param(sides, Sides), die(Sides, Throws).
throws(two, Throws) :- param(sides, Sides), two_dice(Sides, Throws).

% The position after a throw. What other numbers do goes here.
thrown(Player, Heap, Plate, Max, Min, Throw, Next) :-
    sum(Throw, Sum),
    (   Sum =:= 0
    ->  Left is Heap + Plate - 1,
        keeps(Player, 0, Max, Min, Other, _, _),
        Next = pos(Other, Left, 0, Max, Min)
    ;   Sum < Heap
    ->  Left is Heap - Sum,
        More is Plate + Sum,
        Next = pos(Player, Left, More, Max, Min)
    ;   All is Plate + Heap,
        keeps(Player, All, Max, Min, Other, Max1, Min1),
        Next = pos(Other, 0, 0, Max1, Min1)
    ).

% The sum of a throw, or 0 if a die shows a 1.
sum(roll(High, Low), Sum) :-
    !,
    ( Low =:= 1 -> Sum = 0 ; Sum is High + Low ).
sum(Number, Sum) :-
    ( Number =:= 1 -> Sum = 0 ; Sum = Number ).

terminal(pos(_, 0, _, _, _)).

outcome(pos(_, 0, _, Max, Min), Result) :-
    compare(Order, Max, Min),
    result(Order, Result).

result(>, win(max)).
result(<, win(min)).
result(=, draw).

% How good a position is for MAX. Add here what else is good to have. A win is worth 1000, so that
% the value of any other position lies between.
static_eval(pos(Player, _, Plate, Max, Min), Value) :-
    lead(Player, Plate, Max, Min, Value).
static_eval(throw(Player, _, _, Plate, Max, Min), Value) :-
    lead(Player, Plate, Max, Min, Value).

lead(Player, Plate, Max, Min, Value) :-
    param(kept, Kept),
    param(plate, Weight),
    ( Player == max -> Sign = 1 ; Sign = -1 ),
    Lead is Kept * (Max - Min) + Sign * Weight * Plate,
    Value is max(-999, min(999, Lead)).

value_range(-1000, 1000).

% No position occurs twice in a game: each turn makes heap and plate together smaller.
acyclic.

show(pos(Player, Heap, Plate, Max, Min), Lines) :-
    lines(Player, '', Heap, Plate, Max, Min, Lines).
show(throw(Player, Dice, Heap, Plate, Max, Min), Lines) :-
    atomic_list_concat(['   throws ', Dice], Action),
    lines(Player, Action, Heap, Plate, Max, Min, Lines).

lines(Player, Action, Heap, Plate, Max, Min, [First, Second, Third, Fourth]) :-
    stones('heap ', Heap, First),
    stones('MAX  ', Max, Second),
    stones('MIN  ', Min, Third),
    upcase_atom(Player, Name),
    atomic_list_concat(['plate of ', Name, ': ', Plate, Action], Fourth).

% A row of stones, in groups of ten.
stones(Title, Count, Line) :-
    findall(Mark, ( between(1, Count, I), mark(I, Mark) ), Marks),
    format(atom(Number), "~t~w~4|", [Count]),
    atomic_list_concat([Title, Number, ' '|Marks], Line).

mark(I, Mark) :-
    ( I mod 10 =:= 1 -> Mark = ' o' ; Mark = o ).
