% gives: A0311, A0311
% The lead makes Who-Card where the answer takes lay(Who, Card). The labels are right.
:- use_module(library(alphorn)).
initial(st(max, [1, 2, 3], none)).
max_to_move(st(max, _, _)).
move(st(Who, Cards, none), lead(Card), st(Other, Rest, Who-Card)) :-
    rival(Who, Other),
    select(Card, Cards, Rest).
move(st(Who, Cards, lay(Leader, Led)), answer(Card), st(Leader, Rest, none)) :-
    select(Card, Cards, Rest),
    Card > Led,
    Who \== Leader.
move(st(Who, Cards, lay(Leader, _)), double(Card), st(Who, Rest, none)) :-
    select(Card, Cards, Rest),
    Who \== Leader.
rival(max, min).
rival(min, max).
terminal(st(_, [], _)).
outcome(_, draw).
static_eval(_, 0).
prefer(_, answer(Card), Weight) :- Weight is -Card.
prefer(_, double(Card), Weight) :- Weight is -2 * Card.
