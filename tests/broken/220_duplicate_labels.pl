% Two moves with one label.
% code: A0609
% at: 17:1 17:26
% help: label
% help: From-To
% run: --playouts 50
% mend 17: |move(pos(Player, Board), From-To, pos(Other, Next)) :-
:- use_module(library(alphorn)).
:- use_module(library(grid)).
:- use_module(library(board)).

% Pawns on a board of 3 by 3: straight ahead, or take diagonally.
initial(pos(x, b(x,x,x, e,e,e, o,o,o))).

max_to_move(pos(x, _)).

move(pos(Player, Board), From, pos(Other, Next)) :-
    side(Player, Other, Up),
    args_with(Board, Player, From),
    direction_of_step(Across, Other, Cell),
    step(3, 3, From, Across, Up, To),
    arg(To, Board, Cell),
    put_args(Board, [From-e, To-Player], Next).

direction_of_step(-1, Other, Other).
direction_of_step(0, _, e).
direction_of_step(1, Other, Other).

side(x, o, 1).
side(o, x, -1).

terminal(Pos) :- outcome(Pos, _).

outcome(pos(o, Board), win(max)) :- between(7, 9, I), arg(I, Board, x), !.
outcome(pos(x, Board), win(min)) :- between(1, 3, I), arg(I, Board, o), !.

no_moves(loss).
acyclic.

static_eval(pos(_, Board), Value) :-
    aggregate_all(count, args_with(Board, x, _), Xs),
    aggregate_all(count, args_with(Board, o, _), Os),
    Value is Xs - Os.

show(pos(_, Board), Lines) :- board_lines(Board, 3, Lines).
