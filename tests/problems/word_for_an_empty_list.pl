% gives: A0309
% The goods that are left are a list in every branch, and the end of the game compares them with a word.
initial(cart(max, 4, [salt, wool, silk])).
max_to_move(cart(max, _, _)).
move(cart(Who, Water, Goods), Label, cart(Other, Left, Rest)) :-
    other(Who, Other),
    (   Label = load(One),
        select(One, Goods, Rest),
        Left is Water - 1
    ;   Label = bury(One),
        Goods = [One|Rest],
        Left is Water - 2
    ;   Label = wait,
        Rest = Goods,
        Left is Water - 1
    ),
    Left >= 0.
terminal(cart(_, Water, Goods)) :- ( Water =< 0 ; Goods == none ), !.
no_moves(draw).
acyclic.
static_eval(cart(_, Water, _), Water).
other(max, min).
other(min, max).
