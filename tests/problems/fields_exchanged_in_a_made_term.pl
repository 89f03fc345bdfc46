% gives: A0509
% Each player pays from a field of the purse. One clause writes the two fields in the other order.
initial(shop(max, purse(5, 5))).
max_to_move(shop(max, _)).
move(shop(Turn, Purse), buy(Cost), shop(Other, Left)) :-
    other(Turn, Other), member(Cost, [1, 2]), pay(Turn, Cost, Purse, Left).
pay(max, Cost, purse(A, B), purse(A1, B)) :- A >= Cost, A1 is A - Cost.
pay(min, Cost, purse(A, B), purse(B1, A)) :- B >= Cost, B1 is B - Cost.
no_moves(loss).
static_eval(shop(_, purse(A, B)), V) :- V is A - B.
acyclic.
other(max, min).
other(min, max).
