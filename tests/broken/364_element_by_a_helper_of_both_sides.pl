% sides/5 is called in both directions; one call of insert/3 puts Point/Weight where Point-Weight is meant.
% code: A0311
% at: 11:12
% help: a-1
% mend 11: |    insert(Point-1, Own, Own1),
initial(hill(max, [a-1, c-2], [d-1])).
max_to_move(hill(max, _, _)).
move(hill(Turn, Max, Min), place(Point), hill(Other, Max1, Min1)) :-
    sides(Turn, Max, Min, Own, Their),
    point(Point), \+ member(Point-_, Own), \+ member(Point-_, Their),
    insert(Point/1, Own, Own1),
    sides(Turn, Max1, Min1, Own1, Their),
    other(Turn, Other).
move(hill(Turn, Max, Min), lift(Point), hill(Other, Max1, Min1)) :-
    sides(Turn, Max, Min, Own, Their),
    select(Point-1, Own, Rest),
    insert(Point-2, Rest, Own1),
    sides(Turn, Max1, Min1, Own1, Their),
    other(Turn, Other).
sides(max, Max, Min, Max, Min).
sides(min, Max, Min, Min, Max).
insert(Stone, Stones, [Stone|Stones]).
point(a). point(b). point(c). point(d).
no_moves(eval).
static_eval(hill(_, Max, Min), V) :- total(Max, A), total(Min, B), V is A - B.
total(Stones, Sum) :- findall(W, member(_-W, Stones), Ws), sum_list(Ws, Sum).
acyclic.
other(max, min).
other(min, max).
