% gives: A0309
% Cards have a number or king. The clause for seven never applies, and the last clause takes all cards.
initial(turn(max, [7-hearts, king-clubs, 9-clubs], 0)).
max_to_move(turn(max, _, _)).
move(turn(Who, Cards, N), lay(Card), turn(Other, Rest, M)) :-
    other(Who, Other),
    select(Card, Cards, Rest),
    points(Card, Who, P),
    M is N + P.
points(seven-_, _, 10) :- !.
points(_, max, 1).
points(_, min, -1).
other(max, min).
other(min, max).
no_moves(eval).
acyclic.
static_eval(turn(_, _, N), N).
