% Towers of different heights, boxes with and without a lid, and a recursion that has lists and their
% rests in the same places: all of it is meant.
:- use_module(library(alphorn)).
:- expect(perft(1) = 3).
:- expect(value(yard(max, [[1], [2], [3]], box(0), box(1, lid), []), 2) = 1).
:- expect(value(yard(min, [[2], [1], [3]], box(0), box(1, lid), []), 2) = 1).
:- expect(holds(zipped([a, b], [1, 2], [a/1, b/2]))).
:- expect(fails(move(yard(max, [[1], [2], [3]], box(2), box(2), []), pass, _))).

% yard(Side, Towers, Left box, Right box, Log)
initial(yard(max, [[3, 2, 1], [], [4]], box(0), box(1, lid), [])).

max_to_move(yard(max, _, _, _, _)).

terminal(yard(_, _, Box, Box, _)).
terminal(yard(_, _, _, _, [_, _, _, _])).

move(yard(Side, Towers, Left, Right, Log), turn(N), yard(Other, [Last|Rest], Left1, Right, [Side-N|Log])) :-
    other(Side, Other),
    append(Rest, [Last], Towers),
    filled(Left, N, Left1).
move(yard(Side, Towers, Left, Right, Log), lift(N), yard(Other, Towers, Left, Right1, [Side-N|Log])) :-
    other(Side, Other),
    filled(Right, N, Right1).
move(yard(Side, Towers, Left, box(N, lid), Log), open, yard(Other, Towers, Left, box(N), [Side-0|Log])) :-
    other(Side, Other).

% A box keeps its lid.
filled(box(N), 1, box(M)) :- M is N + 1.
filled(box(N, Lid), 1, box(M, Lid)) :- M is N + 1.

static_eval(yard(_, Towers, _, _, Log), Value) :-
    heights(Towers, Heights),
    zipped(Towers, Heights, Pairs),
    length(Log, Moves),
    sum(Pairs, Sum),
    Value is Sum - Moves.

heights([], []).
heights([Tower|Towers], [Height|Heights]) :-
    length(Tower, Height),
    heights(Towers, Heights).

zipped([], [], []).
zipped([X|Xs], [Y|Ys], [X/Y|Pairs]) :-
    pair_up([Xs, Ys], Pairs).

pair_up([Xs, Ys], Pairs) :- zipped(Xs, Ys, Pairs).

sum([], 0).
sum([_/N|Pairs], Sum) :-
    sum(Pairs, Rest),
    Sum is Rest + N.

other(max, min).
other(min, max).

acyclic.
