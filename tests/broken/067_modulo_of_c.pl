% The percent sign for the rest of a division begins a comment.
% code: A0308
% at: 19:9 19:15 19:20 19:25
% help: mod
% run: --playouts 50
% mend 19: |    (   Total mod 10 =\= 0
% Race: add 1 or 2; whoever reaches 10 wins.
initial(state(0, max)).

max_to_move(state(_, max)).

moves(state(Total, Player), Moves) :-
    next_player(Player, Next),
    findall(state(New, Next), (member(Add, [1, 2]), New is Total + Add, New =< 10), Moves).

terminal(state(10, _)).

static_eval(state(Total, Player), Value) :-
    (   Total % 10 =\= 0
    ->  Value = 0
    ;   Player == max
    ->  Value = -1
    ;   Value = 1
    ).

next_player(max, min).
next_player(min, max).
