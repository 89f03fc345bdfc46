% gives: A0509
% A card has a suit and a rank. One clause takes the rank from the first argument.
initial(table(max, [card(hearts, 7), card(spades, 2), card(clubs, 5)], 0)).
max_to_move(table(max, _, _)).
move(table(Turn, Cards, Sum), lay(Card), table(Other, Rest, New)) :-
    select(Card, Cards, Rest), other(Turn, Other), worth(Card, Worth), gain(Turn, Worth, Sum, New).
worth(card(Suit, Rank), Worth) :- colour(Suit, red), Worth is Rank * 2.
worth(card(Suit, Rank), Rank) :- colour(Suit, black).
gain(max, Worth, Sum, New) :- New is Sum + Worth.
gain(min, Worth, Sum, New) :- New is Sum - Worth.
colour(hearts, red). colour(spades, black). colour(clubs, black).
prefer(_, lay(card(_, Rank)), Rank).
shown_move(_, lay(card(Suit, Rank)), Text) :- atomic_list_concat([Suit, Rank], Text).
noisy(_, lay(card(Rank, _))) :- Rank == hearts.
terminal(table(_, [], _)).
static_eval(table(_, _, Sum), Sum).
acyclic.
other(max, min).
other(min, max).
