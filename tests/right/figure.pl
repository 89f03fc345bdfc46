% Stones on the points of a figure, as pairs in a list. A goal looks for the free points only.
%
% The rules: x begins, and x and o place one stone in turn on a free point. The game ends when all
% points have stones. A line belongs to the player with more stones on the line. The player with
% more lines wins. If both have the same number of lines, o wins, because x began.

:- use_module(library(alphorn)).

% The weights of the evaluation: name, value, lowest..highest, meaning.
:- param(sure, 10, 0..100, "worth of a line that the other player cannot get any more").
:- param(ahead, 5, 0..100, "worth of each stone more than the other player on an open line").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 17).
:- expect(perft(2) = 272).
:- expect(holds((findall(P, point(P, _, _), Ps), length(Ps, 17)))).
:- expect(holds((stones([a, b], [d], Board), state(Board, [a, b, c], 2, 1)))).
:- expect(holds((stones([a, b, d, e, g, h, i, k], [c, f, j, l, m, n, p, q], Board),
                 value(pos(x, Board), 1, 999999)))).
:- expect(fails((stones([a], [b], Board), move(pos(x, Board), b, _)))).
:- expect(fails((stones([a], [b], Board), terminal(pos(x, Board))))).

% The figure: the points with their places in the picture (column and row), and the lines. Draw
% your own figure here. The letters o and x are not names of points, because they are stones.
point(a, 0, 8). point(b, 12, 8). point(c, 24, 8).
point(d, 4, 6). point(e, 12, 6). point(f, 20, 6).
point(g, 0, 4). point(h, 4, 4). point(i, 12, 4). point(j, 20, 4). point(k, 24, 4).
point(l, 4, 2). point(m, 12, 2). point(n, 20, 2).
point(p, 0, 0). point(q, 12, 0). point(r, 24, 0).

line([a, b, c]). line([c, k, r]). line([p, q, r]). line([a, g, p]).
line([d, e, f]). line([f, j, n]). line([l, m, n]). line([d, h, l]).
line([b, e, i, m, q]). line([g, h, i, j, k]).
line([a, d, i, n, r]). line([c, f, i, l, p]).

% A position is pos(Player to move, Board). The board is a list with one stone for each point, in
% the order of point/3: Point-x, Point-o, or Point-free if the point is free.
initial(pos(x, Board)) :-
    stones([], [], Board).

% stones(Xs, Os, Board): the board with stones on these points, such as [a, b].
stones(Xs, Os, Board) :-
    findall(Point-Stone, ( point(Point, _, _), stone(Point, Xs, Os, Stone) ), Board).

stone(Point, Xs, Os, Stone) :-
    (   member(Point, Xs)
    ->  Stone = x
    ;   member(Point, Os)
    ->  Stone = o
    ;   Stone = free
    ).

% MAX plays x, MIN plays o.
max_to_move(pos(x, _)).

other(x, o).
other(o, x).

% A move is the name of a point: c. A condition for the point goes here.
move(pos(Player, Board), Point, pos(Other, Next)) :-
    other(Player, Other),
    select(Point-free, Board, Point-Player, Next).

terminal(pos(_, Board)) :-
    \+ member(_-free, Board).

outcome(pos(_, Board), win(Winner)) :-
    aggregate_all(sum(Sign), ( state(Board, _, Lead, _), Sign is sign(Lead) ), Lines),
    (   Lines > 0
    ->  Winner = max
    ;   Winner = min
    ).

% On Line, x has Lead more stones than o, and Free points are free. Each line is one answer.
state(Board, Line, Lead, Free) :-
    line(Line),
    stones_on(Line, Board, 0, Lead, 0, Free).

stones_on([], _, Lead, Lead, Free, Free).
stones_on([Point|Points], Board, Lead0, Lead, Free0, Free) :-
    memberchk(Point-Stone, Board),
    counts(Stone, Count, More),
    Lead1 is Lead0 + Count,
    Free1 is Free0 + More,
    stones_on(Points, Board, Lead1, Lead, Free1, Free).

counts(x, 1, 0).
counts(o, -1, 0).
counts(free, 0, 1).

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(_, Board), Value) :-
    aggregate_all(sum(Worth), ( state(Board, _, Lead, Free), worth(Lead, Free, Worth) ), Value).

worth(Lead, Free, Worth) :-
    (   abs(Lead) > Free
    ->  param(sure, Sure),
        Worth is Sure * sign(Lead)
    ;   param(ahead, Ahead),
        Worth is Ahead * Lead
    ).

% No position occurs twice in a game.
acyclic.

% The picture shows each point by its name. X or O behind the name is a stone.
show(pos(_, Board), Lines) :-
    aggregate_all(max(X), point(_, X, _), Right),
    aggregate_all(max(Y), point(_, _, Y), Top),
    End is Right + 1,
    findall(Line, ( between(0, Top, Down), Y is Top - Down, row(Y, End, Board, Line) ), Lines).

row(Y, End, Board, Line) :-
    findall(Mark, ( between(0, End, X), mark(X, Y, Board, Mark) ), Marks),
    atomic_list_concat(Marks, Line).

mark(X, Y, Board, Mark) :-
    Left is X - 1,
    (   point(Point, X, Y)
    ->  Mark = Point
    ;   point(Point, Left, Y),
        member(Point-Stone, Board),
        Stone \== free
    ->  upcase_atom(Stone, Mark)
    ;   line(Line),
        nextto(P, Q, Line),
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
