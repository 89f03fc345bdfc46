% Membership as in Python.
% code: A0101
% at: 13:32 13:36
% help: member(
% mend 13: |    findall(state(New, Next), (member(Add, [1, 2]), New is Total + Add, New =< 10), Moves).
% Race: add 1 or 2; whoever reaches 10 wins.
initial(state(0, max)).

max_to_move(state(_, max)).

moves(state(Total, Player), Moves) :-
    next_player(Player, Next),
    findall(state(New, Next), (Add in [1, 2], New is Total + Add, New =< 10), Moves).

terminal(state(10, _)).

static_eval(state(Total, Player), Value) :-
    (   Total < 10
    ->  Value = 0
    ;   Player == max
    ->  Value = -1
    ;   Value = 1
    ).

next_player(max, min).
next_player(min, max).
