% gives: A0311, A0311, A0309
% show/2 and the helper lead/2 take the table for the seats, as no other rule does.
:- use_module(library(alphorn)).
initial(state(max, [seat(max, [card(7)]), seat(min, [card(5)])], [card(1)])).
max_to_move(state(max, _, _)).
move(state(Turn, Seats, Table), drop(Card), state(Next, NewSeats, [Card|Table])) :-
    other(Turn, Next),
    select(seat(Turn, Hand), Seats, seat(Turn, Rest), NewSeats),
    select(Card, Hand, Rest).
terminal(state(_, Seats, _)) :- maplist(empty_hand, Seats).
empty_hand(seat(_, [])).
outcome(State, score(Lead)) :- lead(State, Lead).
static_eval(State, Lead) :- lead(State, Lead).
lead(state(_, _, Seats), Lead) :- foldl(count_seat, Seats, 0, Lead).
count_seat(seat(_, Cards), Lead0, Lead) :- length(Cards, N), Lead is Lead0 + N.
other(max, min).
other(min, max).
show(state(_, Table, Seats), [Line|Lines]) :-
    row(Table, Line),
    maplist(seat_line, Seats, Lines).
seat_line(seat(_, Hand), Line) :- row(Hand, Line).
row(Cards, Line) :- maplist(card_name, Cards, Names), atomic_list_concat(Names, ' ', Line).
card_name(card(Value), Name) :- atom_concat(c, Value, Name).
