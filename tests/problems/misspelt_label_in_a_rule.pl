% gives: A0312
:- use_module(library(alphorn)).
:- expect(best(left(max, [3, 1]), 1) = throw(1)).
initial(left(max, [3, 1])).
max_to_move(left(max, _)).
move(left(max, Cards), Label, left(min, Rest)) :- action(Label, Cards, Rest).
action(play(Card), Cards, Rest) :- select(Card, Cards, Rest).
action(trow(Card), Cards, Rest) :- min_list(Cards, Card), selectchk(Card, Cards, Rest).
static_eval(left(_, Cards), Value) :- sum_list(Cards, Value).
