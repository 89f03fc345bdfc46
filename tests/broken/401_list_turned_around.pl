% The first element and the rest of a list are exchanged in a recursive clause.
% code: A0311
% at: 53:29
% help: write [First|Rest]
% mend 53: |insert(Cell, [First|Cells], [First|Rest]) :-
% Sinking islands: two kings on a 3x3 sea. A king steps to a free
% neighbouring island; the island it leaves sinks. Who cannot step loses.
:- use_module(library(alphorn)).
:- param(size, 3, 2..6, "width and height").
:- expect(perft(1) = 3).
:- expect(value(sea(max, [cell(1,1,max), cell(2,2,min)])) = win(min)).
:- expect(value(sea(min, [cell(1,1,min), cell(1,2,sunk), cell(2,1,sunk), cell(2,2,max)])) = win(max)).
:- expect(best(sea(max, [cell(1,1,max), cell(1,2,sunk), cell(2,2,sunk), cell(3,3,min)]), 1) = go(1/1, 2/1)).
:- expect(holds(near(1/1, 2/2))).
:- expect(fails(free([cell(2,2,sunk)], 2/2))).

% sea(Player to move, Occupied cells, sorted)
initial(sea(max, [cell(1,1,max), cell(Size,Size,min)])) :-
    param(size, Size).

max_to_move(sea(max, _)).

move(sea(Player, Cells), go(X/Y, X1/Y1), sea(Other, Next)) :-
    other(Player, Other),
    king(Cells, Player, X/Y),
    near(X/Y, X1/Y1),
    free(Cells, X1/Y1),
    leave(Cells, cell(X,Y,Player), Sunk),
    insert(cell(X1,Y1,Player), Sunk, Next).

king(Cells, Player, X/Y) :-
    memberchk(cell(X,Y,Player), Cells).

near(X/Y, X1/Y1) :-
    param(size, Size),
    between(-1, 1, DX),
    between(-1, 1, DY),
    DX/DY \== 0/0,
    X1 is X + DX, between(1, Size, X1),
    Y1 is Y + DY, between(1, Size, Y1).

free(Cells, X/Y) :-
    \+ memberchk(cell(X,Y,_), Cells).

% The cell sinks behind the king.
leave([cell(X,Y,Player)|Cells], cell(X,Y,Player), [cell(X,Y,sunk)|Cells]).
leave([Cell|Cells], King, [Cell|Rest]) :-
    Cell \== King,
    leave(Cells, King, Rest).

insert(Cell, [], [Cell]).
insert(Cell, [First|Cells], [Cell,First|Cells]) :- Cell @< First.
insert(Cell, [First|Cells], [Rest|First]) :-
    Cell @> First,
    insert(Cell, Cells, Rest).

terminal(sea(Player, Cells)) :-
    king(Cells, Player, Place),
    \+ (near(Place, To), free(Cells, To)).

outcome(sea(Player, _), win(Winner)) :- other(Player, Winner).

static_eval(sea(_, Cells), Value) :-
    liberty(Cells, max, A),
    liberty(Cells, min, B),
    Value is A - B.

liberty(Cells, Player, N) :-
    king(Cells, Player, Place),
    findall(To, (near(Place, To), free(Cells, To)), Tos),
    length(Tos, N).

prefer(_, go(_, 2/2), 5).
prefer(sea(_, Cells), go(X/_, X/Y1), 1) :- memberchk(cell(X,Y1,_), Cells).

acyclic.
other(max, min).
other(min, max).
