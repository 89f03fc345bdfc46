% gives: A0311
% A row of the board lost its brackets.
initial(field(max, [[a, b, a, b], b, a, b, a, [a, b, a, b]], 0)).
max_to_move(field(max, _, _)).
move(field(Who, Rows, N), turn(Y), field(Other, Next, M)) :-
    other(Who, Other),
    N < 3,
    M is N + 1,
    nth1(Y, Rows, Row, Others),
    reverse(Row, Turned),
    nth1(Y, Next, Turned, Others).
terminal(field(_, _, 3)).
static_eval(field(_, Rows, _), Count) :-
    findall(Row, ( member(Row, Rows), Row = [a|_] ), Found),
    length(Found, Count).
acyclic.
other(max, min).
other(min, max).
