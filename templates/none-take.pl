% NAME: take stones from heaps; the last stone of a heap is a bonus.
%
% The rules: there are four heaps of stones. MAX begins, and MAX and MIN take one, two or three
% stones from one heap in turn. A player may not take as many stones as the other player took just
% before. Each stone is one point. The player who takes the last stone of a heap gets a bonus. The
% game ends when no stone is left, or when a player cannot move. The player with more points wins.

:- use_module(library(alphorn)).

% Change these numbers first: name, value, lowest..highest, meaning.
:- param(most, 3, 2..9, "stones that a player can take at once").
:- param(bonus, 4, 0..20, "points for the last stone of a heap").
% The weights of the evaluation.
:- param(point, 10, 0..100, "worth of a point").
:- param(last, 5, 0..100, "worth of a heap that the player to move can empty").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 12).
:- expect(perft(2) = 96).
:- expect(holds((findall(M, move(pos(max, [a-4, b-1], 2, 0), M, _), [a1, a3, b1])))).
:- expect(holds(move(pos(min, [a-3, b-1], 2, 5), a3, pos(max, [a-0, b-1], 3, -2)))).
:- expect(best(pos(max, [a-4, b-0], 3, 0), 9) = a2).
:- expect(value(pos(max, [a-3, b-0], 1, -6), 1) = 999999).
:- expect(holds(outcome(pos(max, [a-1, b-1], 1, 0), draw))).
:- expect(fails(move(pos(max, [a-4, b-1], 2, 0), a2, _))).

% A position is pos(Player to move, Heaps, Stones that the other player took just before, Lead).
% Lead is the points of MAX minus the points of MIN. A heap is Name-Stones. An empty heap stays in
% the list. Each fact is an opening: type --opening 2 for the second. Another opening goes here.
initial(pos(max, [a-7, b-8, c-9, d-10], 0, 0)).
initial(pos(max, [a-3, b-9, c-9], 0, 0)).
initial(pos(max, [a-4, b-4, c-4, d-4, e-4], 0, 0)).

max_to_move(pos(max, _, _, _)).

% A move is the name of a heap and a number of stones: b2.
move(pos(Player, Heaps, Before, Lead), Label, pos(Other, Next, Count, Lead1)) :-
    side(Player, Other, Sign),
    member(Heap-Stones, Heaps),
    takes(Stones, Before, Count),
    Left is Stones - Count,
    selectchk(Heap-Stones, Heaps, Heap-Left, Next),
    points(Count, Left, Points),
    Lead1 is Lead + Sign * Points,
    atom_concat(Heap, Count, Label).

side(max, min, 1).
side(min, max, -1).

% How many stones a player may take from a heap of Stones. Another rule goes here.
takes(Stones, Before, Count) :-
    param(most, Most),
    Limit is min(Most, Stones),
    between(1, Limit, Count),
    Count =\= Before.

% The points for a move that takes Count stones and leaves Left stones in the heap.
points(Count, Left, Points) :-
    (   Left =:= 0
    ->  param(bonus, Bonus),
        Points is Count + Bonus
    ;   Points = Count
    ).

terminal(pos(_, Heaps, Before, _)) :-
    \+ ( member(_-Stones, Heaps), takes(Stones, Before, _) ).

outcome(pos(_, _, _, Lead), win(max)) :- Lead > 0.
outcome(pos(_, _, _, Lead), win(min)) :- Lead < 0.
outcome(pos(_, _, _, 0), draw).

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(Player, Heaps, Before, Lead), Value) :-
    param(point, Point),
    param(last, Last),
    side(Player, _, Sign),
    aggregate_all(count, can_empty(Heaps, Before), Count),
    Value is Point * Lead + Last * Sign * Count.

% The player to move can take all stones of a heap. Each such heap is one answer.
can_empty(Heaps, Before) :-
    member(_-Stones, Heaps),
    takes(Stones, Before, Stones).

% No position occurs twice in a game.
acyclic.

show(pos(_, Heaps, Before, Lead), Lines) :-
    findall(Line, ( member(Heap-Stones, Heaps), line(Heap, Stones, Line) ), Rows),
    atomic_list_concat(['taken just before: ', Before, ', lead of MAX: ', Lead], Status),
    append(Rows, [Status], Lines).

line(Heap, Stones, Line) :-
    findall(o, between(1, Stones, _), Marks),
    atom_concat(Heap, ':', Title),
    atomic_list_concat([Title|Marks], ' ', Line).
