% Dice.  A list of rolls has the form of what chance/2 answers: Weight-Roll, where Weight is
% how many of all ways in which the dice can fall give that roll.

:- module(dice, [
    die/2,
    two_dice/1,
    two_dice/2,
    opening_dice/2,
    outcomes/3
]).

:- meta_predicate(outcomes(+, 2, -)).

%! die(+Sides, -Rolls)
%  One die: 1-1 to 1-Sides.
die(Sides, Rolls) :-
    findall(1-Roll, between(1, Sides, Roll), Rolls).

%! two_dice(-Rolls)
%  The 21 rolls of two dice with six sides, each roll(High, Low): 1-roll(1, 1),
%  2-roll(2, 1) and so on.  Of 36 ways to fall a double has one, any other roll two.
two_dice([
    1-roll(1, 1),
    2-roll(2, 1), 1-roll(2, 2),
    2-roll(3, 1), 2-roll(3, 2), 1-roll(3, 3),
    2-roll(4, 1), 2-roll(4, 2), 2-roll(4, 3), 1-roll(4, 4),
    2-roll(5, 1), 2-roll(5, 2), 2-roll(5, 3), 2-roll(5, 4), 1-roll(5, 5),
    2-roll(6, 1), 2-roll(6, 2), 2-roll(6, 3), 2-roll(6, 4), 2-roll(6, 5), 1-roll(6, 6)
]).

%! two_dice(+Sides, -Rolls)
%  The same, in the same order, for dice with so many sides.
two_dice(Sides, Rolls) :-
    findall(Weight-roll(High, Low),
            ( between(1, Sides, High), between(1, High, Low), weight(High, Low, Weight) ),
            Rolls).

weight(High, Low, Weight) :-
    (   High =:= Low
    ->  Weight = 1
    ;   Weight = 2
    ).

%! opening_dice(+Sides, -Rolls)
%  Each side rolls a die until the two differ: the rolls without doubles, all of weight 1.
%  It is for the game to say that either side may have the higher one.
opening_dice(Sides, Rolls) :-
    findall(1-roll(High, Low),
            ( between(2, Sides, High), Last is High - 1, between(1, Last, Low) ),
            Rolls).

%! outcomes(+Rolls, :Next, -Outcomes)
%  Outcomes are Rolls with, in the place of each Roll, the position of call(Next, Roll,
%  Position).
outcomes([], _, []).
outcomes([Weight-Roll|Rolls], Next, [Weight-Position|Outcomes]) :-
    call(Next, Roll, Position),
    outcomes(Rolls, Next, Outcomes).
