% gives: A0309
initial(board(max, [])).
max_to_move(board(max, _)).
other(max, min).
other(min, max).
point(leaf(L, P)) :- member(L, [a, b, c]), member(P, [left, tip, right]).
owner(Stones, Point, Who) :- member(Point-Who, Stones).
move(board(Who, Stones), Point, board(Other, [Point-Who|Stones])) :-
    other(Who, Other),
    point(Point),
    \+ owner(Stones, Point, _).
static_eval(board(_, Stones), V) :- findall(W, (owner(Stones, P, _), worth(P, W)), Ws), sum_list(Ws, V).
worth(leaf(_, middle), 2).
worth(leaf(_, left), 1).
worth(leaf(_, right), 1).
acyclic.
