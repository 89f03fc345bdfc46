% A game that comes back to a position and says it does not.
% code: A0613
% at: 12:1 16:1
% help: acyclic
% run: --playouts 50
% mend 16: |repetition(draw).
% Race: add 1 or 2; whoever reaches 10 wins.
initial(state(0, max)).

max_to_move(state(_, max)).

moves(state(Total, Player), Moves) :-
    next_player(Player, Next),
    findall(state(New, Next), (member(Add, [1, 0]), New is Total + Add, New =< 10), Moves).

acyclic.
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
