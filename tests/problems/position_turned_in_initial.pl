% gives: A0311
% The first position has the seats and the table in the wrong order, and every rule takes the other.
:- use_module(library(alphorn)).
:- expect(value(state(max, [seat(max, [card(5)]), seat(min, [])], [card(3)])) = win(max)).
initial(state(max, Table, Seats)) :-
    maplist(take_seat, [max, min], Seats),
    deal(table, Table).
take_seat(Player, seat(Player, Hand)) :- deal(Player, Hand).
deal(max, [card(7), card(4)]).
deal(min, [card(5), card(3)]).
deal(table, [card(1)]).
max_to_move(state(max, _, _)).
move(state(Turn, Seats, Table), drop(Card), state(Next, NewSeats, [Card|Table])) :-
    other(Turn, Next),
    select(seat(Turn, Hand), Seats, seat(Turn, Rest), NewSeats),
    select(Card, Hand, Rest).
terminal(state(_, Seats, _)) :- maplist(empty_hand, Seats).
empty_hand(seat(_, [])).
outcome(state(_, _, [card(N)|_]), win(Who)) :- N > 4 -> Who = max ; Who = min.
other(max, min).
other(min, max).
show(state(_, _, Table), Lines) :- maplist(card_name, Table, Lines).
card_name(card(Value), Line) :- atom_concat(card, Value, Line).
