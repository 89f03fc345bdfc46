% gives: A0309
% A clause of a helper has another word for a side than all calls.
initial(purse(white, 2, 2)).
max_to_move(purse(white, _, _)).
move(purse(Who, One, Two), pay, purse(Other, Left, Right)) :- other(Who, Other), pay(Who, One, Two, Left, Right).
no_moves(loss).
acyclic.
other(white, black).
other(black, white).
pay(white, One, Two, Left, Two) :- One > 0, Left is One - 1.
pay(dark, One, Two, One, Right) :- Two > 0, Right is Two - 1.
