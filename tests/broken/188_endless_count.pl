% A recursion that never comes to its end.
% code: A0601
% at: 18:25
% help: nearer to up_to(10), which ends the recursion
% run: --playouts 50
% mend 18: |up_to(N) :- N > 10, M is N - 1, up_to(M).
% Race: add 1 or 2; whoever reaches 10 wins.
initial(state(0, max)).

max_to_move(state(_, max)).

moves(state(Total, Player), Moves) :-
    next_player(Player, Next),
    findall(state(New, Next), (member(Add, [1, 2]), New is Total + Add, New =< 10), Moves).

terminal(state(N, _)) :- up_to(N).
up_to(10).
up_to(N) :- M is N - 1, up_to(M).

static_eval(state(Total, Player), Value) :-
    (   Total < 10
    ->  Value = 0
    ;   Player == max
    ->  Value = -1
    ;   Value = 1
    ).

next_player(max, min).
next_player(min, max).
