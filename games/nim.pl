% Nim: take any number from one heap; whoever takes the last object wins
% (or loses, in misère play).  Source: C. Bouton, Annals of Mathematics 3, 1901.

:- use_module(library(alphorn)).

:- param(misere, no, [no, yes], "whoever takes the last object loses").

:- expect(perft(1) = 12).
:- expect(value = 999989).
:- expect(value(pos(max, [1,2,3])) = -999994).
:- expect(value(pos(max, [2,3,4])) = 999993).
:- expect(value(pos(max, [1,1,1])) = 999997).
:- expect(best(pos(max, [2,3,4]), 9) = take(3, 3)).
:- expect(value(pos(min, [1,4,5])) = 999990).
:- expect(value(pos(min, [5,5,0])) = 999990).
:- expect(holds(move(pos(max, [2,1]), take(1, 2), pos(min, [0,1])))).

% pos(Player to move, Heaps).  An empty heap stays, so that heaps keep their numbers.
initial(pos(max, [3,4,5])).
initial(pos(max, [1,3,5,7])).
initial(pos(max, [1,2,3])).
initial(pos(max, [2,3,4])).
initial(pos(max, [5,5,2])).
initial(pos(max, [1,1,1])).
initial(pos(max, [7,7])).

max_to_move(pos(max, _)).

% take(I, N): N objects from heap number I.
move(pos(Player, Heaps), take(I, N), pos(Other, Next)) :-
    other(Player, Other),
    nth1(I, Heaps, Heap, Rest),
    between(1, Heap, N),
    Left is Heap - N,
    nth1(I, Next, Left, Rest).

terminal(pos(_, Heaps)) :-
    sum_list(Heaps, 0).

% Nothing is left: the other player took the last object.
outcome(pos(Player, Heaps), win(Winner)) :-
    sum_list(Heaps, 0),
    (   param(misere, yes)
    ->  Winner = Player
    ;   other(Player, Winner)
    ).

static_eval(Pos, Value) :-
    (   outcome(Pos, win(Winner))
    ->  win_value(Winner, Value)
    ;   Value = 0
    ).

win_value(max, 1).
win_value(min, -1).

value_range(-1, 1).
acyclic.

% The order of the heaps does not matter.
canonical(pos(Player, Heaps), pos(Player, Sorted)) :-
    msort(Heaps, Sorted).

other(max, min).
other(min, max).

show(pos(_, Heaps), Lines) :-
    findall(Line, heap_line(Heaps, Line), Lines).

heap_line(Heaps, Line) :-
    nth1(I, Heaps, Heap),
    findall('|', between(1, Heap, _), Sticks),
    atomic_list_concat(Sticks, ' ', Text),
    atomic_list_concat([I, ': ', Text], Line).

% Objects in a row for each heap, after its number; a click on one takes it and those right of it.
draw(pos(_, Heaps), Items) :-
    findall(Item, heap_item(Heaps, Item), Items).

heap_item(Heaps, label(0, Y, I)) :-
    nth1(I, Heaps, _),
    Y is -I.
heap_item(Heaps, Item) :-
    nth1(I, Heaps, Heap),
    between(1, Heap, Place),
    atomic_list_concat([I, '.', Place], Name),
    object_item(I, Heap, Place, Name, Item).

object_item(I, _, Place, Name, square(Name, Place, Y)) :-
    Y is -I.
object_item(_, _, _, Name, piece(Name, bar(one, object))).
object_item(I, Heap, Place, Name, click(take(I, N), [Name])) :-
    N is Heap - Place + 1.
