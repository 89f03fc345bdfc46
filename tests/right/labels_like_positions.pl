% game whose labels look like positions
initial(s(1,1)).
max_to_move(s(_, _)).
move(P, s(X,Y), s(X,Y)) :- succ_of(P, s(X,Y)).
succ_of(s(X,Y), s(X1,Y)) :- X < 3, X1 is X + 1.
succ_of(s(X,Y), s(X,Y1)) :- Y < 3, Y1 is Y + 1.
static_eval(s(X, Y), V) :- V is X - Y.
