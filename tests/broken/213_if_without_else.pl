% An if without an else fails.
% code: A0606
% at: 18:1 19:5 19:9
% help: ; 
% run: --playouts 50
% mend 21: |    ;   Player = Player, Value = 1 ).
% Race: add 1 or 2; whoever reaches 10 wins.
initial(state(0, max)).

max_to_move(state(_, max)).

moves(state(Total, Player), Moves) :-
    next_player(Player, Next),
    findall(state(New, Next), (member(Add, [1, 2]), New is Total + Add, New =< 10), Moves).

terminal(state(10, _)).

static_eval(state(Total, Player), Value) :-
    (   Total < 10
    ->  Value = 0
    ).




next_player(max, min).
next_player(min, max).
