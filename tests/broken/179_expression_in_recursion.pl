% A recursion with N - 1 as its argument never comes to 0.
% code: A0307
% at: 39:1 39:39
% help: M is N - 1
% help: is N - 1
% run: --playouts 50
% mend 39: |repeated(X, N, [X|Xs]) :- N > 0, M is N - 1, repeated(X, M, Xs).
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

outcome(pos(Player, Heaps), win(Winner)) :-
    sum_list(Heaps, 0),
    other(Player, Winner).

acyclic.
:- expect(holds(repeated(a, 2, [a, a]))).

other(max, min).
other(min, max).

show(pos(Player, Heaps), [Title|Lines]) :-
    repeated(Player, 2, _),
    atom_concat(Player, ' to move:', Title),
    heap_lines(Heaps, Lines).

repeated(_, 0, []).
repeated(X, N, [X|Xs]) :- repeated(X, N - 1, Xs).

heap_lines([], []).
heap_lines([Heap|Heaps], [Line|Lines]) :-
    atomic_list_concat(['heap of ', Heap], Line),
    heap_lines(Heaps, Lines).
