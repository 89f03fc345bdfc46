% A trace left in a rule.
% code: A0212
% at: 33:25
% help: remove the goal
% mend 33: |    sign(Player, Sign),
% Coins in a row: take one from either end; whoever has more money wins.
initial(row([3, 9, 1, 2, 7], 0, 0, max)).

max_to_move(row(_, _, _, max)).

move(row(Coins, Mine, Yours, Player), End, Next) :-
    take(End, Coins, Coin, Rest),
    paid(Player, Coin, Rest, Mine, Yours, Next).

take(left, [Coin|Rest], Coin, Rest).
take(right, Coins, Coin, Rest) :-
    Coins = [_, _|_],
    append(Rest, [Coin], Coins).

paid(max, Coin, Rest, Mine, Yours, row(Rest, Sum, Yours, min)) :-
    Sum is Mine + Coin.
paid(min, Coin, Rest, Mine, Yours, row(Rest, Mine, Sum, max)) :-
    Sum is Yours + Coin.

terminal(row([], _, _, _)).

outcome(row([], Mine, Yours, _), score(Score)) :-
    Score is Mine - Yours.

% Half of what is left goes to each.
static_eval(row(Coins, Mine, Yours, Player), Value) :-
    total(Coins, Left),
    sign(Player, Sign), write(Sign),
    Value is Mine - Yours + Sign * (Left // 2).

total([], 0).
total([Coin|Coins], Sum) :-
    total(Coins, Rest),
    Sum is Rest + Coin.

sign(max, 1).
sign(min, -1).
