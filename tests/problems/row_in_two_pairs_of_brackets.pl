% gives: A0311
% The first row of the board has two pairs of brackets.
initial(Pos) :-
    Rows = [[[1, 0]], [0, 1], [1, 1]],
    Pos = lamps(Rows, max, 4).
max_to_move(lamps(_, max, _)).
move(lamps(Rows, Who, N), X-Y, lamps(Next, Other, M)) :-
    N > 0,
    M is N - 1,
    other(Who, Other),
    nth1(Y, Rows, Row, Others),
    nth1(X, Row, Old, Lamps),
    New is 1 - Old,
    nth1(X, NewRow, New, Lamps),
    nth1(Y, Next, NewRow, Others).
terminal(lamps(_, _, 0)).
static_eval(lamps(Rows, _, _), Value) :-
    foldl([Row, V0, V]>>( sum_list(Row, S), V is V0 + S ), Rows, 0, Value).
acyclic.
other(max, min).
other(min, max).
