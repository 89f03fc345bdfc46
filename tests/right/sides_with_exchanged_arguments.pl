% The clauses for the two players have the same variables in the other order.
initial(pond(max, 1, 5)).
max_to_move(pond(max, _, _)).
move(pond(max, Own, Other), hop(Own, To), pond(min, To, Other)) :- To is Own + 1, To < Other.
move(pond(min, Other, Own), hop(Own, To), pond(max, Other, To)) :- To is Own - 1, To > Other.
move(Pond, stay(Own, Other), Next) :- places(Pond, Own, Other), follows(Pond, Own, Other, Next).
places(pond(max, Own, Other), Own, Other).
places(pond(min, Other, Own), Own, Other).
follows(pond(max, _, _), Own, Other, pond(min, Own, Other)).
follows(pond(min, _, _), Own, Other, pond(max, Other, Own)).
terminal(pond(_, A, B)) :- B is A + 1.
static_eval(pond(_, A, B), V) :- V is A + B - 6.
repetition(draw).
