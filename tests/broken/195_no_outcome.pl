% Nobody says who has won.
% code: A0505
% at: 11:1 15:1 22:1
% help: outcome(
% mend 24: |
% mend 24: |outcome(pos(Player, Heaps), win(Winner)) :-
% mend 24: |    sum_list(Heaps, 0),
% mend 24: |    other(Player, Winner).
% mend 24: |
% Nim: take any number from one heap; whoever takes the last object wins.
initial(pos(max, [1, 2, 3])).

max_to_move(pos(max, _)).

move(pos(Player, Heaps), take(I, N), pos(Other, Next)) :-
    other(Player, Other),
    nth1(I, Heaps, Heap, Rest),
    between(1, Heap, N),
    Left is Heap - N,
    nth1(I, Next, Left, Rest).

terminal(pos(_, Heaps)) :-
    sum_list(Heaps, 0).

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
