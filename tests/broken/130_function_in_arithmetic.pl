% One's own predicate as a function.
% code: A0308
% at: 19:18
% help: sign(
% help: sign_of(Player, 
% mend 19: |    sign_of(Player, Sign), Value is 0 * Sign.
% Race: add 1 or 2; whoever reaches 10 wins.
initial(state(0, max)).

max_to_move(state(_, max)).

moves(state(Total, Player), Moves) :-
    next_player(Player, Next),
    findall(state(New, Next), (member(Add, [1, 2]), New is Total + Add, New =< 10), Moves).

terminal(state(10, _)).

static_eval(state(_, Player), Value) :-
    Value is 0 * sign_of(Player).

sign_of(max, 1).
sign_of(min, -1).


next_player(max, min).
next_player(min, max).
