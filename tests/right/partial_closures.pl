% A closure lacks the arguments that it is called with.

initial(men([p(1, 1), p(2, 2)], max)).

max_to_move(men(_, max)).

moves(men(Men, Who), Next) :-
    findall(men(Left, Other), taken(Men, Who, Left, Other), Next).

taken(Men, Who, Left, Other) :-
    other(Who, Other),
    member(p(X, Y), Men),
    exclude(stands_on(X, Y), Men, Left).

stands_on(X, Y, p(X, Y)).

other(max, min).
other(min, max).

static_eval(men(Men, _), Value) :-
    length(Men, Value).
