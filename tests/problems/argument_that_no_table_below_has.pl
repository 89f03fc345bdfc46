% gives: A0309, A0309, A0309
% Calls pass a list for a room, a number for a column and max for a side to helpers whose tables have none of them.
initial(walk(white, a/1, hall)).
max_to_move(walk(white, _, _)).
move(walk(Who, X/Y, Room), step(X/Z), walk(Other, X/Z, Room)) :- other(Who, Other), between(1, 4, Z), Z > Y.
move(walk(Who, X/Y, Room), turn(V/Y), walk(Other, V/Y, Room)) :- other(Who, Other), column(V, _), V \= X.
move(walk(Who, Cell, Room), enter(Next), walk(Other, Cell, Next)) :- other(Who, Other), door(Room, Next).
terminal(walk(white, Cell, _)) :- at_end(max, Cell).
terminal(walk(black, Cell, _)) :- at_end(black, Cell).
terminal(walk(_, _, Room)) :- near([Room], gate).
no_moves(draw).
repetition(draw).
static_eval(walk(_, Cell, Room), Value) :-
    place(Cell, One),
    place(4/_, Other),
    findall(Next, near(Room, Next), Rooms),
    length(Rooms, Count),
    Value is One - Other + Count.
place(X/Y, Place) :- column(X, I), member(Y, [1, 2, 3, 4]), Place is I + Y.
at_end(Who, _/Y) :- far_row(Who, Y).
near(One, Other) :- door(One, Other), !.
door(One, Other) :- passage(One, Other).
door(One, Other) :- passage(Other, One).
other(white, black).
other(black, white).
far_row(white, 4).
far_row(black, 1).
passage(hall, cellar).
passage(cellar, tower).
passage(tower, gate).
column(a, 1).
column(b, 2).
