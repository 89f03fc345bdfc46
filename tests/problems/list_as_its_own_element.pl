% gives: A0311
% The table becomes the second element of the new table.
:- use_module(library(alphorn)).
initial(state(max, [card(7), card(4)], [card(1)])).
max_to_move(state(max, _, _)).
move(state(Turn, Hand, Table), drop(Card), state(Next, Rest, NewTable)) :-
    other(Turn, Next),
    select(Card, Hand, Rest),
    NewTable = [Card, Table].
no_moves(loss).
other(max, min).
other(min, max).
show(state(_, _, Table), Lines) :- maplist(card_name, Table, Lines).
card_name(card(Value), Name) :- atom_concat(c, Value, Name).
