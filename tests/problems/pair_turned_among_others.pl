% gives: A0309
% One card is hearts-7. The ranks are numbers and the atom king.
initial(turn(max, Cards, 8-hearts)) :- hand(Cards).
hand([hearts-7, 8-clubs, 9-hearts, king-clubs]).
max_to_move(turn(max, _, _)).
move(turn(Who, Cards, _), lay(Rank, Suit), turn(Other, Rest, Rank-Suit)) :-
    other(Who, Other),
    select(Rank-Suit, Cards, Rest).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
