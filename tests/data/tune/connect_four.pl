% An overlay of games/connect_four.pl: an evaluation with a weight for each column and each row, counted
% from the edge. With these values it is the evaluation of the game on its usual board.
:- param(column1, 1, 0..30, "worth of a disc in the outer columns").
:- param(column2, 2, 0..30, "worth of a disc in the columns next to them").
:- param(column3, 3, 0..30, "worth of a disc in the columns next to the middle").
:- param(column4, 4, 0..30, "worth of a disc in the middle column").
:- param(row1, 1, 0..30, "worth of a disc in the lowest and in the highest row").
:- param(row2, 2, 0..30, "worth of a disc in the rows next to them").
:- param(row3, 3, 0..30, "worth of a disc in the middle rows").

static_eval(pos(_, _, full), 0).
static_eval(pos(Player, _, won), Value) :-
    side(Player, _, Sign),
    Value is -1000 * Sign.
static_eval(pos(_, Board, open(_)), Value) :-
    discs(1, Board, 0, Value).

discs(I, Board, Value0, Value) :-
    (   arg(I, Board, Cell)
    ->  disc(Cell, I, Worth),
        Value1 is Value0 + Worth,
        I1 is I + 1,
        discs(I1, Board, Value1, Value)
    ;   Value = Value0
    ).

disc(e, _, 0).
disc(x, I, Worth) :-
    place(I, Worth).
disc(o, I, Worth) :-
    place(I, Worth0),
    Worth is -Worth0.

place(I, Worth) :-
    X is (I - 1) mod 7 + 1,
    Y is (I - 1) // 7 + 1,
    Column is min(X, 8 - X),
    Row is min(Y, 7 - Y),
    column(Column, A),
    row(Row, B),
    Worth is A + B.

column(1, Worth) :- param(column1, Worth).
column(2, Worth) :- param(column2, Worth).
column(3, Worth) :- param(column3, Worth).
column(4, Worth) :- param(column4, Worth).

row(1, Worth) :- param(row1, Worth).
row(2, Worth) :- param(row2, Worth).
row(3, Worth) :- param(row3, Worth).
