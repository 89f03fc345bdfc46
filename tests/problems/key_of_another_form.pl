% gives: A0309
% The keys are pairs with a dash, and the goal looks for pairs with a slash.
initial(walk(max, 1/1, Tiles)) :-
    findall(X-Y-dry, (member(X, [1, 2]), member(Y, [1, 2])), Pairs),
    list_to_assoc(Pairs, Tiles).
max_to_move(walk(max, _, _)).
move(walk(Who, From, Tiles), to(To), walk(Other, To, Next)) :-
    other(Who, Other),
    step(From, To),
    get_assoc(To, Tiles, dry),
    put_assoc(From, Tiles, wet, Next).
step(X/Y, Z/Y) :- Z is 3 - X.
step(X/Y, X/Z) :- Z is 3 - Y.
no_moves(loss).
acyclic.
static_eval(_, 0).
other(max, min).
other(min, max).
