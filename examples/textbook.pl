% The textbook's minimax and alpha-beta, as rules over the predicates of a game with moves/2.
% Source: after I. Bratko, Prolog Programming for Artificial Intelligence, figures 22.3 and 22.5.
%
% The game need not know of them; put this file beside it:
%
%     alphorn query games/tictactoe.pl examples/textbook.pl \
%         'initial(P), alphabeta(P, -1, 1, Best, Value)'
%
% A game that is written with move/3 wants one more rule, in a file of its own:
%
%     moves(Pos, Successors) :- findall(Next, move(Pos, _, Next), Successors).
%
% The sides take turns: where MAX is to move, MIN has just moved.  Of equally good moves these
% rules prefer the last, `alphorn value` the first; and so these cut off only what is worse
% than a bound, `alphorn value` also what is no better.

% minimax(+Pos, -Best, -Value): Value is the worth of Pos to MAX with best play to the end,
% Best the position after the best move, unbound where the game is over.
minimax(Pos, Best, Value) :-
    successors(Pos, Successors),
    !,
    best_of(Successors, Best, Value).
minimax(Pos, _, Value) :-
    static_eval(Pos, Value).

best_of([Pos], Pos, Value) :-
    !,
    minimax(Pos, _, Value).
best_of([Pos|Others], Best, Value) :-
    minimax(Pos, _, PosValue),
    best_of(Others, Other, OtherValue),
    better_of(Pos, PosValue, Other, OtherValue, Best, Value).

% minimax(+Pos, +Depth, -Best, -Value): the same, but static_eval/2 judges the positions that
% are Depth plies away.
minimax(Pos, Depth, Best, Value) :-
    Depth > 0,
    successors(Pos, Successors),
    !,
    Less is Depth - 1,
    best_of(Successors, Less, Best, Value).
minimax(Pos, _, _, Value) :-
    static_eval(Pos, Value).

best_of([Pos], Depth, Pos, Value) :-
    !,
    minimax(Pos, Depth, _, Value).
best_of([Pos|Others], Depth, Best, Value) :-
    minimax(Pos, Depth, _, PosValue),
    best_of(Others, Depth, Other, OtherValue),
    better_of(Pos, PosValue, Other, OtherValue, Best, Value).

% alphabeta(+Pos, +Alpha, +Beta, -Good, -Value): Value is the worth of Pos if that lies between
% Alpha and Beta, what MAX and MIN are sure of elsewhere; otherwise it lies outside as well.
alphabeta(Pos, Alpha, Beta, Good, Value) :-
    successors(Pos, Successors),
    !,
    bounded_best(Successors, Alpha, Beta, Good, Value).
alphabeta(Pos, _, _, _, Value) :-
    static_eval(Pos, Value).

bounded_best([Pos|Others], Alpha, Beta, Good, Value) :-
    alphabeta(Pos, Alpha, Beta, _, PosValue),
    good_enough(Others, Alpha, Beta, Pos, PosValue, Good, Value).

good_enough([], _, _, Pos, Value, Pos, Value) :-
    !.
good_enough(_, Alpha, Beta, Pos, Value, Pos, Value) :-
    out_of_bounds(Pos, Value, Alpha, Beta),
    !.
good_enough(Others, Alpha, Beta, Pos, PosValue, Good, Value) :-
    new_bounds(Alpha, Beta, Pos, PosValue, NewAlpha, NewBeta),
    bounded_best(Others, NewAlpha, NewBeta, Other, OtherValue),
    better_of(Pos, PosValue, Other, OtherValue, Good, Value).

% alphabeta(+Pos, +Depth, +Alpha, +Beta, -Good, -Value): to a depth, as in minimax/4.
alphabeta(Pos, Depth, Alpha, Beta, Good, Value) :-
    Depth > 0,
    successors(Pos, Successors),
    !,
    Less is Depth - 1,
    bounded_best(Successors, Less, Alpha, Beta, Good, Value).
alphabeta(Pos, _, _, _, _, Value) :-
    static_eval(Pos, Value).

bounded_best([Pos|Others], Depth, Alpha, Beta, Good, Value) :-
    alphabeta(Pos, Depth, Alpha, Beta, _, PosValue),
    good_enough(Others, Depth, Alpha, Beta, Pos, PosValue, Good, Value).

good_enough([], _, _, _, Pos, Value, Pos, Value) :-
    !.
good_enough(_, _, Alpha, Beta, Pos, Value, Pos, Value) :-
    out_of_bounds(Pos, Value, Alpha, Beta),
    !.
good_enough(Others, Depth, Alpha, Beta, Pos, PosValue, Good, Value) :-
    new_bounds(Alpha, Beta, Pos, PosValue, NewAlpha, NewBeta),
    bounded_best(Others, Depth, NewAlpha, NewBeta, Other, OtherValue),
    better_of(Pos, PosValue, Other, OtherValue, Good, Value).

% The positions after each move; fails where the game is over.
successors(Pos, Successors) :-
    \+ terminal(Pos),
    moves(Pos, Successors),
    Successors = [_|_].

% better_of(Pos, PosValue, Other, OtherValue, Best, Value): the better of two successors for
% the side that moved there.
better_of(Pos, PosValue, Other, OtherValue, Best, Value) :-
    (   better(Pos, PosValue, OtherValue)
    ->  Best = Pos,
        Value = PosValue
    ;   Best = Other,
        Value = OtherValue
    ).

% To have moved to Pos, worth Value, is better than a move worth Bound.
better(Pos, Value, Bound) :-
    (   max_to_move(Pos)
    ->  Value < Bound
    ;   Value > Bound
    ).

% The move to Pos is so good that the other side will not let it come to that.
out_of_bounds(Pos, Value, Alpha, Beta) :-
    (   max_to_move(Pos)
    ->  Value < Alpha
    ;   Value > Beta
    ).

% What the side that moved to Pos is sure of now narrows the bounds.
new_bounds(Alpha, Beta, Pos, Value, NewAlpha, NewBeta) :-
    (   max_to_move(Pos)
    ->  NewAlpha = Alpha,
        NewBeta is min(Beta, Value)
    ;   NewAlpha is max(Alpha, Value),
        NewBeta = Beta
    ).
