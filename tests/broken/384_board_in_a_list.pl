% A move puts the board into a list.
% code: A0311
% at: 11:40
% help: write the number itself
% run: --playouts 5
% mend 11: |move(lit(Who, Board), Cell, lit(Other, Next)) :-
initial(lit(max, 0)).
max_to_move(lit(max, _)).
turn(max, min).
turn(min, max).
move(lit(Who, Board), Cell, lit(Other, [Next])) :-
    turn(Who, Other),
    between(0, 70, Cell),
    Board /\ (1 << Cell) =:= 0,
    Next is Board \/ (1 << Cell).
outcome(lit(Who, _), win(Winner)) :- turn(Who, Winner).
static_eval(lit(_, Board), Value) :- Value is popcount(Board).
acyclic.
