% A clause whose head has a capital letter.
% code: A0111
% at: 18:1
% help: terminal(
% mend 18: |terminal(pos(_, Heaps)) :-
% Nim: take any number from one heap; whoever takes the last object wins.
initial(pos(max, [1, 2, 3])).

max_to_move(pos(max, _)).

move(pos(Player, Heaps), take(I, N), pos(Other, Next)) :-
    other(Player, Other),
    nth1(I, Heaps, Heap, Rest),
    between(1, Heap, N),
    Left is Heap - N,
    nth1(I, Next, Left, Rest).

Terminal(pos(_, Heaps)) :-
    sum_list(Heaps, 0).

outcome(pos(Player, Heaps), win(Winner)) :-
    sum_list(Heaps, 0),
    other(Player, Winner).

acyclic.

other(max, min).
other(min, max).

show(pos(Player, Heaps), [Title|Lines]) :-
    atom_concat(Player, ' to move:', Title),
    heap_lines(Heaps, Lines).

heap_lines([], []).
heap_lines([Heap|Heaps], [Line|Lines]) :-
    atomic_list_concat(['heap of ', Heap], Line),
    heap_lines(Heaps, Lines).
