% gives: A0311
% The hands of the expectation have no doubles. A label has the name of the helper answer/5.
:- use_module(library(alphorn)).
:- expect(fails(move(st(max, [hand(max, []), hand(min, [])]), _, _))).
initial(st(max, [hand(max, [1, 2], 1), hand(min, [1, 2], 1)])).
max_to_move(st(max, _)).
move(st(Who, Hands), Label, st(Other, NewHands)) :-
    rival(Who, Other),
    nth1(I, Hands, hand(Who, Cards, Doubles), Others),
    select(Card, Cards, Rest),
    nth1(I, Taken, hand(Who, Rest, Doubles), Others),
    answer(Who, Taken, Card, NewHands, Label).
answer(_, Hands, Card, Hands, answer(Card)).
answer(Who, Hands, Card, NewHands, double(Card)) :-
    nth1(I, Hands, hand(Who, Cards, Doubles), Others),
    Doubles > 0,
    Left is Doubles - 1,
    nth1(I, NewHands, hand(Who, Cards, Left), Others).
rival(max, min).
rival(min, max).
no_moves(loss).
static_eval(_, 0).
prefer(_, answer(Card), Weight) :- Weight is -Card.
