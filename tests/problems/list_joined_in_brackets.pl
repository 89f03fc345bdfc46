% gives: A0311
% Taken is a list already, so [Taken] puts a list among the cards.
initial(turn(max, [card(4), card(7)], [card(2), card(9), card(3)])).
max_to_move(turn(max, _, _)).
move(turn(Who, Hand, Pile), lay(Card), turn(Other, Next, Rest)) :-
    other(Who, Other),
    select(Card, Hand, Kept),
    take(2, Pile, Taken, Rest),
    append(Kept, [Taken], Next).
take(0, Pile, [], Pile) :- !.
take(N, [Card|Pile], [Card|Taken], Rest) :-
    M is N - 1,
    take(M, Pile, Taken, Rest).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
static_eval(turn(_, Hand, _), Value) :-
    maplist(worth, Hand, Worths),
    sum_list(Worths, Value).
worth(card(N), N).
