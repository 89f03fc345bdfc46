% Three men's morris. A position is s(Facts): a sorted list of facts
%   hand(Side, N)     N men still to place
%   man(Square, Side) a man on a square
%   turn(Side)
% Squares are sq(File, Rank). MAX begins.

:- use_module(library(alphorn)).

:- expect(perft(1) = 9).
:- expect(perft(2) = 72).
:- expect(value = win(max)).
:- expect(best(s([hand(max,1), hand(min,1), man(sq(a,1),max), man(sq(a,2),max),
                  man(sq(c,1),min), man(sq(c,3),min), turn(max)]), 1) = put(sq(a,3))).
:- expect(value(s([hand(max,0), hand(min,0), man(sq(a,1),max), man(sq(a,2),max), man(sq(b,3),max),
                   man(sq(b,1),min), man(sq(c,1),min), man(sq(c,2),min), turn(max)])) = 999999).
:- expect(holds(won([man(sq(a,1),max), man(sq(b,2),max), man(sq(c,3),max)], max))).
:- expect(fails(won([man(sq(a,1),max), man(sq(b,2),max), man(sq(c,2),max)], max))).
:- expect(holds(near(sq(a,1), sq(b,2)))).
:- expect(fails(near(sq(a,2), sq(b,1)))).

initial(s([hand(max,3), hand(min,3), turn(max)])).

max_to_move(s(Facts)) :- memberchk(turn(max), Facts).

side(Facts, Side) :- memberchk(turn(Side), Facts).

move(s(Facts), put(Square), s(Next)) :-
    side(Facts, Side),
    memberchk(hand(Side, N), Facts),
    N > 0,
    square(Square),
    free(Facts, Square),
    M is N - 1,
    change(Facts, [hand(Side, N)], [hand(Side, M), man(Square, Side)], Next).
move(s(Facts), step(From, To), s(Next)) :-
    side(Facts, Side),
    memberchk(hand(Side, 0), Facts),
    member(man(From, Side), Facts),
    near(From, To),
    free(Facts, To),
    change(Facts, [man(From, Side)], [man(To, Side)], Next).

% change(Facts, Out, In, Next): takes facts out, puts facts in, and passes the turn
change(Facts, Out, In, Next) :-
    side(Facts, Side),
    other(Side, Other),
    subtract(Facts, [turn(Side)|Out], Rest),
    append([turn(Other)|In], Rest, All),
    sort(All, Next).

free(Facts, Square) :- \+ memberchk(man(Square, _), Facts).

square(sq(File, Rank)) :- file(File, _), between(1, 3, Rank).

file(a, 1).
file(b, 2).
file(c, 3).

% neighbours along rows and columns; diagonals through the middle only
near(sq(F, R), sq(F, R1)) :- between(1, 3, R1), 1 is abs(R - R1).
near(sq(F, R), sq(F1, R)) :- file(F, X), file(F1, X1), 1 is abs(X - X1).
near(sq(b, 2), sq(F, R)) :- corner(F, R).
near(sq(F, R), sq(b, 2)) :- corner(F, R).

corner(a, 1).
corner(a, 3).
corner(c, 1).
corner(c, 3).

line([sq(F, 1), sq(F, 2), sq(F, 3)]) :- file(F, _).
line([sq(a, R), sq(b, R), sq(c, R)]) :- between(1, 3, R).
line([sq(a, 1), sq(b, 2), sq(c, 3)]).
line([sq(a, 3), sq(b, 2), sq(c, 1)]).

won(Facts, Side) :-
    line(Line),
    forall(member(Square, Line), memberchk(man(Square, Side), Facts)).

terminal(s(Facts)) :- won(Facts, max), !.
terminal(s(Facts)) :- won(Facts, min).

outcome(s(Facts), win(max)) :- won(Facts, max), !.
outcome(s(Facts), win(min)) :- won(Facts, min).

no_moves(loss).
repetition(draw).

static_eval(s(Facts), Value) :-
    (   memberchk(man(sq(b, 2), Side), Facts)
    ->  sign(Side, Value)
    ;   Value = 0
    ).

sign(max, 1).
sign(min, -1).

other(max, min).
other(min, max).

symmetry(s(Facts), s(Image)) :-
    maplist(mirror, Facts, Mirrored),
    sort(Mirrored, Image).

mirror(man(sq(F, R), Side), man(sq(F1, R), Side)) :-
    file(F, X), X1 is 4 - X, file(F1, X1), !.
mirror(hand(Side, N), hand(Side, N)).
mirror(turn(Side), turn(Side)).

shown_move(_, put(sq(F, R)), Text) :- format(atom(Text), "~w~d", [F, R]).
shown_move(_, step(sq(F, R), sq(F1, R1)), Text) :-
    format(atom(Text), "~w~d-~w~d", [F, R, F1, R1]).

show(s(Facts), [L3, L2, L1]) :-
    maplist(rank_text(Facts), [3, 2, 1], [L3, L2, L1]).

rank_text(Facts, R, Text) :-
    findall(C, ( file(F, _), mark(Facts, sq(F, R), C) ), Cs),
    atomic_list_concat(Cs, ' ', Text).

mark(Facts, Square, C) :-
    (   memberchk(man(Square, max), Facts) -> C = x
    ;   memberchk(man(Square, min), Facts) -> C = o
    ;   C = '.'
    ).
