% gives: A0309
% fits/2 takes a whole card and the rank of the other card by the same name.
initial(turn(max, [7-hearts, 8-clubs], 7-clubs)).
max_to_move(turn(max, _, _)).
move(turn(Who, Cards, Top), lay(Card), turn(Other, Rest, Card)) :-
    other(Who, Other),
    select(Card, Cards, Rest),
    fits(Card, Top).
fits(Rank, Rank-_).
fits(_-Suit, _-Suit).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
