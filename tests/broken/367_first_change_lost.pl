% The second replace/4 takes the old board, so the first change is lost.
% code: A0301
% at: 9:101
% help: Board1
% mend 9: |changed(Board, From, To, Turn, Next) :- To is From + 1, nth0(To, Board, e), replace(Board, From, e, Board1), replace(Board1, To, Turn, Next).
initial(line(x, [x, e, e, o])).
max_to_move(line(x, _)).
move(line(Turn, Board), step(From, To), line(Other, Next)) :- other(Turn, Other), nth0(From, Board, Turn), changed(Board, From, To, Turn, Next).
changed(Board, From, To, Turn, Next) :- To is From + 1, nth0(To, Board, e), replace(Board, From, e, Board1), replace(Board, To, Turn, Next).
replace([_|Rest], 0, X, [X|Rest]).
replace([Y|Rest], I, X, [Y|More]) :- I > 0, J is I - 1, replace(Rest, J, X, More).
no_moves(loss).
static_eval(_, 0).
acyclic.
other(x, o).
other(o, x).
