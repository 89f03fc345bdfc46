% If, then and else as words.
% code: A0101
% at: 18:5 18:8 18:19
% help: ->
% mend 18: |    ( Total < 10 -> Value = 0 ; Player = Player, Value = 1 ).
% Race: add 1 or 2; whoever reaches 10 wins.
initial(state(0, max)).

max_to_move(state(_, max)).

moves(state(Total, Player), Moves) :-
    next_player(Player, Next),
    findall(state(New, Next), (member(Add, [1, 2]), New is Total + Add, New =< 10), Moves).

terminal(state(10, _)).

static_eval(state(Total, Player), Value) :-
    if Total < 10 then Value = 0 else Value = 1.


next_player(max, min).
next_player(min, max).
