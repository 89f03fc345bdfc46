% The name most like a variable that is left over would be wrong in its place.
% code: A0301
% at: 22:25
% help: if Min is right, write _Min or _
% run: --playouts 5
% mend 22: |paid(min, N, score(Max, Min), score(Max, Min1)) :- Min1 is Min + N.
% Two players take one or two coins from a row of numbers, from the left.
% row(Side, Coins, score(Max, Min))
initial(row(max, [3, 1, 4, 1, 5, 2], score(0, 0))).

max_to_move(row(max, _, _)).

move(row(Side, [A|Coins], Score), one, row(Other, Coins, Score1)) :-
    other(Side, Other),
    paid(Side, A, Score, Score1).
move(row(Side, [A, B|Coins], Score), two, row(Other, Coins, Score1)) :-
    other(Side, Other),
    N is A + B,
    paid(Side, N, Score, Score1).

paid(max, N, score(Max, Min), score(Max1, Min)) :- Max1 is Max + N.
paid(min, N, score(Max, Min), score(Max, Min1)) :- Min1 is Max + N.

other(max, min).
other(min, max).

terminal(row(_, [], _)).

static_eval(row(_, _, score(Max, Min)), Value) :- Value is Max - Min.
