% A tree of nine leaves: MAX moves at a, MIN at b, c and d.  Its value is 3, and alpha-beta
% passes over two leaves of c.
% Source: S. Russell, P. Norvig, Artificial Intelligence: A Modern Approach, chapter on games.
%
%                 a
%       b         c         d
%    3 12  8   2  4  6  14  5  2

:- use_module(library(alphorn)).

:- expect(perft(2) = 9).
:- expect(value = 3).
:- expect(value(c) = 2).
:- expect(value(d) = 2).

initial(a).

max_to_move(a).

move(a, a1, b).
move(a, a2, c).
move(a, a3, d).
move(b, b1, leaf(3)).
move(b, b2, leaf(12)).
move(b, b3, leaf(8)).
move(c, c1, leaf(2)).
move(c, c2, leaf(4)).
move(c, c3, leaf(6)).
move(d, d1, leaf(14)).
move(d, d2, leaf(5)).
move(d, d3, leaf(2)).

static_eval(Pos, Value) :-
    (   Pos = leaf(Number)
    ->  Value = Number
    ;   Value = 0
    ).

value_range(0, 20).
acyclic.
