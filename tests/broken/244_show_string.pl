% A picture that is no list.
% code: A0605
% at: 31:1 31:22
% help: list
% run: --playouts 50
% mend 31: |show(pos(Player, _), [Player]).
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

other(max, min).
other(min, max).

show(pos(Player, _), Player).
