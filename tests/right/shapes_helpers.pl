% Right: positions are made far away from the moves, by helpers that hand them on, and game predicates
% are asked about parts of a position as well.
initial(P) :- start(Size), empty(Size, Cells), position_of(max, Cells, P).
start(4).
empty(0, []) :- !.
empty(N, [0|T]) :- M is N - 1, empty(M, T).
position_of(Who, Cells, state(Who, board(Cells))).
max_to_move(P) :- turn(P, max).
turn(state(Who, _), Who).
moves(P, All) :- setof(Q, changed(P, Q), All).
changed(state(Who, board(Cells)), Q) :-
    other(Who, Whom), append(Before, [0|After], Cells), append(Before, [1|After], New),
    position_of(Whom, New, Q).
terminal(state(_, B)) :- terminal(B).
terminal(board(Cells)) :- \+ memberchk(0, Cells).
static_eval(state(Who, Board), V) :- static_eval(Board, W), (Who = max -> V = W ; V is -W).
static_eval(board(Cells), V) :- sum_list(Cells, V).
acyclic.
other(max, min).
other(min, max).
