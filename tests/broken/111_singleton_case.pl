% A variable with another capital.
% code: A0301
% at: 13:19 13:58
% help: NewTotal
% mend 13: |    findall(state(NewTotal, Next), (member(Add, [1, 2]), NewTotal is Total + Add, NewTotal =< 10), Moves).
% Race: add 1 or 2; whoever reaches 10 wins.
initial(state(0, max)).

max_to_move(state(_, max)).

moves(state(Total, Player), Moves) :-
    next_player(Player, Next),
    findall(state(Newtotal, Next), (member(Add, [1, 2]), NewTotal is Total + Add, NewTotal =< 10), Moves).

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
