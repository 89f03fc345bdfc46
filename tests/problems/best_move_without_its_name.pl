% gives: A0312
% The label is lay(Card), as shown_move/3 says. The expectation forgets lay.
:- use_module(library(alphorn)).
:- expect(best(turn(max, [card(4), card(7)]), 1) = card(4)).
initial(turn(max, [card(4), card(7), card(2)])).
max_to_move(turn(max, _)).
move(turn(Who, Cards), lay(Card), turn(Other, Rest)) :-
    other(Who, Other),
    select(Card, Cards, Rest),
    worth(Card, _).
worth(card(N), N).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
shown_move(_, lay(card(N)), N).
