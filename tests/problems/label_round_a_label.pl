% gives: A0312
% move/3 puts answer(...) round the label that answer/3 has made. lead(Card) is right.
:- use_module(library(alphorn)).
:- expect(best(st(max, [2, 3], lay(min, 1)), 1) = answer(2)).
initial(st(max, [1, 2, 3], none)).
max_to_move(st(max, _, _)).
move(st(Who, Cards, none), lead(Card), st(Other, Rest, lay(Who, Card))) :-
    rival(Who, Other),
    select(Card, Cards, Rest).
move(st(_, Cards, lay(Leader, Led)), answer(Label), st(Leader, Rest, none)) :-
    select(Card, Cards, Rest),
    answer(Card, Led, Label).
answer(Card, Led, answer(Card)) :- Card > Led.
answer(Card, _, double(Card)).
rival(max, min).
rival(min, max).
terminal(st(_, [], _)).
outcome(_, draw).
static_eval(_, 0).
prefer(_, double(Card), Weight) :- Weight is -2 * Card.
