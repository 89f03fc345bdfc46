% Expectations test the helpers with atoms that no rule contains.
:- use_module(library(alphorn)).
:- expect(holds(turned([p,q,r], [r,p,q]))).
:- expect(holds(other_of(p, [p,q], q))).
:- expect(fails(turned([p,q], [p,q]))).
:- expect(perft(1) = 1).
:- expect(value = win(min)).
initial(ring(max, [gold,lead,lead])).
max_to_move(ring(max, _)).
move(ring(Who, Coins), turn, ring(Other, Next)) :-
    \+ Coins = [lead,lead|_],
    other_of(Who, [max,min], Other),
    turned(Coins, Next).
turned(Coins, [Last|Rest]) :- append(Rest, [Last], Coins).
other_of(One, Both, Other) :- select(One, Both, [Other]).
no_moves(loss).
repetition(draw).
