% gives: A0311, A0304
:- use_module(library(alphorn)).
:- param(stones, 3, 2..4, "stones of each side").
initial(board(max, Left, place, [])) :- param(stones, N), Left is 2 * N.
max_to_move(board(max, _, _, _)).
other(max, min).
other(min, max).
move(board(Who, place, Left, Stones), Point, board(Other, Phase, Less, [Point|Stones])) :-
    other(Who, Other),
    between(1, 9, Point),
    \+ member(Point, Stones),
    Less is Left - 1,
    phase(Less, Phase).
phase(Left, place) :- Left > 0.
phase(0, over).
terminal(board(_, over, _, _)).
left(board(_, _, Left, _), Left).
static_eval(board(_, _, Left, Stones), Value) :- length(Stones, N), Value is N - Left.
acyclic.
