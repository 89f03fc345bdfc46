% gives: A0509
% A frog hops along a row of stones. The text of a move has the arguments of its label exchanged.
initial(pond(max, 1, 6)).
max_to_move(pond(max, _, _)).
move(pond(max, From, Other), hop(From, To), pond(min, To, Other)) :- near(From, To), To < Other.
move(pond(min, Other, From), hop(From, To), pond(max, Other, To)) :- near(From, To), To > Other.
near(From, To) :- To is From + 1, To =< 6.
near(From, To) :- To is From - 1, To >= 1.
prefer(_, hop(From, To), V) :- V is abs(To - From).
shown_move(_, hop(To, From), Text) :- atom_concat('to ', To, Begin), atom_concat(Begin, From, Text).
terminal(pond(_, Max, Min)) :- Min is Max + 1.
static_eval(pond(_, Max, Min), V) :- V is Max + Min - 7.
repetition(draw).
no_moves(draw).
