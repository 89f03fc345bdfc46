% The number of the argument that counts moves, counted from 0.
% code: A0506
% at: 32:1 32:14
% help: move_counter(5)
% run: --playouts 10
% mend 32: |move_counter(3).
% Two kings of a coin game: a player takes one or two coins, or waits; after
% eight moves the heap belongs to nobody.
:- use_module(library(alphorn)).
:- expect(perft(1) = 3).
:- expect(value = 0).

% heap(Player to move, Coins, Moves so far)
initial(heap(max, 5, 0)).

max_to_move(heap(max, _, _)).

moves(heap(Side, Coins, Moves), Nexts) :-
    Moves < 8,
    other(Side, Other),
    Next is Moves + 1,
    findall(heap(Other, Left, Next), taken(Coins, Left), Nexts).

taken(Coins, Left) :-
    member(Some, [0, 1, 2]),
    Coins >= Some,
    Left is Coins - Some.

no_moves(eval).
acyclic.

move_counter(0).

static_eval(heap(max, 0, _), -1).
static_eval(heap(min, 0, _), 1).
static_eval(heap(_, Coins, _), 0) :-
    Coins > 0.

terminal(heap(_, 0, _)).
terminal(heap(_, _, 8)).

other(max, min).
other(min, max).
