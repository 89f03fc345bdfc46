% A label has its name as an argument of another label.
% code: A0312
% at: 30:19
% help: skip(_)
% mend 30: |move(game(Pairs), skip(Player), game(Next)) :-
% Coins in a row: take the coin at either end, or skip once per game.
% More money wins. A position is a list of pairs Key-Value.
:- use_module(library(alphorn)).
:- expect(perft(1) = 3).
:- expect(value(game([turn-max, row-[5], max-purse(0,0), min-purse(3,0)])) = win(max)).
:- expect(value(game([turn-min, row-[], max-purse(4,0), min-purse(4,1)])) = draw).
:- expect(best(game([turn-max, row-[1,9], max-purse(0,0), min-purse(0,0)]), 2) = take(right, 9)).
:- expect(holds(lookup(row, [turn-min, row-[2]], [2]))).
:- expect(fails(move(game([turn-max, row-[5], max-purse(0,0), min-purse(3,0)]), skip(max), _))).

% purse(Money, Skips left)
initial(game([turn-max, row-[3,1,4,2], max-purse(0,1), min-purse(0,1)])).

max_to_move(game(Pairs)) :- lookup(turn, Pairs, max).

move(game(Pairs), take(End, Coin), game(Next)) :-
    lookup(turn, Pairs, Player),
    lookup(row, Pairs, Row),
    end(End, Row, Coin, Rest),
    lookup(Player, Pairs, purse(Money, Skips)),
    Money1 is Money + Coin,
    update(row, Rest, Pairs, Pairs1),
    update(Player, purse(Money1, Skips), Pairs1, Pairs2),
    turn_over(Pairs2, Next).
move(game(Pairs), take(skip, Player), game(Next)) :-
    lookup(turn, Pairs, Player),
    lookup(row, Pairs, [_|_]),
    lookup(Player, Pairs, purse(Money, Skips)),
    Skips > 0,
    Skips1 is Skips - 1,
    update(Player, purse(Money, Skips1), Pairs, Pairs1),
    turn_over(Pairs1, Next).

turn_over(Pairs, Next) :-
    lookup(turn, Pairs, Player),
    other(Player, Other),
    update(turn, Other, Pairs, Next).

lookup(Key, Pairs, Value) :- memberchk(Key-Value, Pairs).

update(Key, Value, [Key-_|Pairs], [Key-Value|Pairs]).
update(Key, Value, [Other-Old|Pairs], [Other-Old|News]) :-
    Key \== Other,
    update(Key, Value, Pairs, News).

end(left, [Coin|Rest], Coin, Rest).
end(right, [First,Second|Coins], Coin, Rest) :-
    drop_last([First,Second|Coins], Coin, Rest).

drop_last([Coin], Coin, []).
drop_last([First|Coins], Coin, [First|Rest]) :-
    drop_last(Coins, Coin, Rest).

terminal(game(Pairs)) :- lookup(row, Pairs, []).

outcome(game(Pairs), Result) :-
    margin(Pairs, Margin),
    result(Margin, Result).

result(M, win(max)) :- M > 0.
result(M, win(min)) :- M < 0.
result(0, draw).

static_eval(game(Pairs), Margin) :- margin(Pairs, Margin).

margin(Pairs, Margin) :-
    lookup(max, Pairs, purse(A, _)),
    lookup(min, Pairs, purse(B, _)),
    Margin is A - B.

prefer(_, take(_, Coin), Coin).
prefer(_, skip(_), -1).

acyclic.
other(max, min).
other(min, max).
