% NAME: step along the lines of a figure and wipe them out; who cannot move loses.
%
% The rules: x begins, and each player has two men. A man steps along a line to the next point, if
% no man stands on that point. Then the line between the two points is wiped out: nobody can use
% the line any more. A player who cannot move loses.

:- use_module(library(alphorn)).

% The weights of the evaluation: name, value, lowest..highest, meaning.
:- param(step, 3, 0..100, "worth of a step that a man can make").
:- param(line, 1, 0..100, "worth of a line at the end of such a step").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 6).
:- expect(perft(2) = 32).
:- expect(holds((findall(P, point(P, _, _), Ps), length(Ps, 17)))).
:- expect(holds((findall(M, move(pos(x, [a, r], [b, c], [a-b, a-d, d-i]), M, _), [a-d])))).
:- expect(best(pos(x, [a, r], [b, c], [a-d, b-e, k-r, c-k]), 1) = r-k).
:- expect(value(pos(x, [a, r], [b, p], [a-d, d-i, b-e]), 5) = 999997).
:- expect(holds(outcome(pos(x, [a, r], [b, p], [b-e]), win(min)))).
:- expect(fails(terminal(pos(o, [a, r], [b, p], [b-e])))).

% The figure: the points with their places in the picture (column and row), and the lines between
% neighbours. Draw your own figure here. Lines run along rows, columns and diagonals.
point(a, 0, 8). point(b, 12, 8). point(c, 24, 8).
point(d, 4, 6). point(e, 12, 6). point(f, 20, 6).
point(g, 0, 4). point(h, 4, 4). point(i, 12, 4). point(j, 20, 4). point(k, 24, 4).
point(l, 4, 2). point(m, 12, 2). point(n, 20, 2).
point(p, 0, 0). point(q, 12, 0). point(r, 24, 0).

lines([
    a-b, b-c, a-g, g-p, c-k, k-r, p-q, q-r,
    d-e, e-f, d-h, h-l, f-j, j-n, l-m, m-n,
    b-e, e-i, i-m, m-q, g-h, h-i, i-j, j-k,
    a-d, d-i, i-n, n-r, c-f, f-i, i-l, l-p
]).

% A position is pos(Player to move, Points of x, Points of o, Lines that are left). The points of a
% player are in alphabetical order, so that the same position is always the same term.
initial(pos(x, [a, r], [c, p], Lines)) :-
    lines(Lines).

% MAX plays x, MIN plays o.
max_to_move(pos(x, _, _, _)).

% A move is written as two points: a-d.
move(pos(x, Xs, Os, Lines), From-To, pos(o, Next, Os, Left)) :-
    step(Xs, Os, Lines, From, To, Next, Left).
move(pos(o, Xs, Os, Lines), From-To, pos(x, Xs, Next, Left)) :-
    step(Os, Xs, Lines, From, To, Next, Left).

% A step of one of the men Own. Another kind of step goes here.
step(Own, Others, Lines, From, To, Next, Left) :-
    select(From, Own, Rest),
    joined(From, To, Lines, Left),
    free(To, Rest, Others),
    msort([To|Rest], Next).

free(Point, Own, Others) :-
    \+ memberchk(Point, Own),
    \+ memberchk(Point, Others).

% One of Lines joins P and Q. Left is the other lines.
joined(P, Q, Lines, Left) :-
    (   select(P-Q, Lines, Left)
    ;   select(Q-P, Lines, Left)
    ).

terminal(Pos) :-
    \+ move(Pos, _, _).

outcome(Pos, win(Winner)) :-
    terminal(Pos),
    ( max_to_move(Pos) -> Winner = min ; Winner = max ).

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(_, Xs, Os, Lines), Value) :-
    aggregate_all(sum(Worth), worth(Xs, Os, Lines, Worth), ForX),
    aggregate_all(sum(Worth), worth(Os, Xs, Lines, Worth), ForO),
    Value is ForX - ForO.

% The worth of a step. Each step is one answer.
worth(Own, Others, Lines, Worth) :-
    step(Own, Others, Lines, _, To, _, Left),
    param(step, Step),
    param(line, Line),
    aggregate_all(count, joined(To, _, Left, _), Count),
    Worth is Step + Line * Count.

% No position occurs twice in a game.
acyclic.

% The picture shows each point by its name. X or O behind the name is a man.
show(pos(_, Xs, Os, Lines), Rows) :-
    aggregate_all(max(X), point(_, X, _), Right),
    aggregate_all(max(Y), point(_, _, Y), Top),
    End is Right + 1,
    findall(Row, ( between(0, Top, Down), Y is Top - Down, row(Y, End, Xs, Os, Lines, Row) ), Rows).

row(Y, End, Xs, Os, Lines, Row) :-
    findall(Mark, ( between(0, End, X), mark(X, Y, Xs, Os, Lines, Mark) ), Marks),
    atomic_list_concat(Marks, Row).

mark(X, Y, Xs, Os, Lines, Mark) :-
    Left is X - 1,
    (   point(Point, X, Y)
    ->  Mark = Point
    ;   point(Point, Left, Y),
        memberchk(Point, Xs)
    ->  Mark = 'X'
    ;   point(Point, Left, Y),
        memberchk(Point, Os)
    ->  Mark = 'O'
    ;   member(P-Q, Lines),
        between_points(P, Q, X, Y, Sign)
    ->  Mark = Sign
    ;   Mark = ' '
    ).

% Sign is the part of the line from P to Q at this place of the picture.
between_points(P, Q, X, Y, Sign) :-
    point(P, X1, Y1),
    point(Q, X2, Y2),
    (   Y1 =:= Y2
    ->  Y =:= Y1,
        min(X1, X2) < X,
        X < max(X1, X2),
        Sign = '-'
    ;   min(Y1, Y2) < Y,
        Y < max(Y1, Y2),
        X =:= X1 + (X2 - X1) * (Y - Y1) // (Y2 - Y1),
        Slope is sign((X2 - X1) * (Y2 - Y1)),
        slope(Slope, Sign)
    ).

slope(0, '|').
slope(1, '/').
slope(-1, '\\').
