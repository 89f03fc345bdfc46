% gives: A0309
% worth/2 takes ranks, and its only call passes whole cards.
initial(turn(max, [7-hearts, king-clubs, 9-clubs], [])).
max_to_move(turn(max, _, _)).
move(turn(Who, Cards, Laid), lay(Card), turn(Other, Rest, [Card|Laid])) :-
    other(Who, Other),
    select(Card, Cards, Rest).
other(max, min).
other(min, max).
no_moves(eval).
acyclic.
static_eval(turn(_, Cards, _), Value) :-
    findall(P, ( member(Rank, Cards), worth(Rank, P) ), Ps),
    sum_list(Ps, Value).
worth(king, 4) :- !.
worth(7, 10) :- !.
worth(_, 1).
