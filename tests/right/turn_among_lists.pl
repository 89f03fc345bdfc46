% The fact of the player to move stands among facts with lists: A0309 asked for a list there.
initial([turn-max, cars(max)-[2, 3], cars(min)-[3], off-[0, 0]]).
max_to_move(Pos) :- fact(turn, Pos, max).
moves(Pos, Nexts) :- findall(Next, drive(Pos, Next), Nexts).
drive(Pos, Next) :-
    fact(turn, Pos, Who),
    rival(Who, Rival),
    fact(cars(Who), Pos, Cars),
    select(_, Cars, Others),
    change(cars(Who), Others, Pos, Pos1),
    change(turn, Rival, Pos1, Next).
fact(Key, Pos, Value) :- memberchk(Key-Value, Pos).
change(Key, Value, Pos, Next) :-
    append(Before, [Key-_|After], Pos), !,
    append(Before, [Key-Value|After], Next).
rival(max, min).
rival(min, max).
no_moves(loss).
acyclic.
static_eval(_, 0).
