% Clobber on a small board: a stone takes a neighbouring stone of the other
% side and stands in its place. Whoever cannot take loses.

:- use_module(library(alphorn)).
:- param(rows, 3, 2..5, "rows of the board").
:- param(columns, 4, 2..6, "columns of the board").

:- expect(perft(1) = 17).
:- expect(value(game(max, [[w,b],[b,w]], 2)) = win(max)).
:- expect(value(game(min, [[w,b,w],[none,none,none]], 1)) = win(min)).
:- expect(value(game(max, [[w,none],[none,b]], 3), 2) = win(min)).
:- expect(best(game(max, [[none,none,none],[none,w,b]], 4), 2) = take(from(2,2), to(2,3))).
:- expect(holds(move(game(min, [[w,b],[none,none]], 1), take(from(1,2), to(1,1)), _))).
:- expect(fails(move(game(min, [[w,b],[none,none]], 1), take(from(1,1), to(1,2)), _))).
:- expect(holds(safe(game(max, [[w,none],[none,b]], 0)))).
:- expect(perft(game(max, [[w,b],[b,w]], 2), 2) = 4).

% game(Side, Rows, Taken): Rows is a list of rows, Taken counts the stones taken

initial(game(max, Rows, 0)) :-
    param(rows, R),
    param(columns, C),
    numlist(1, R, Ys),
    maplist(start_row(C), Ys, Rows).

start_row(C, Y, Row) :-
    numlist(1, C, Xs),
    maplist(start_cell(Y), Xs, Row).

start_cell(Y, X, Stone) :-
    (   0 is (X + Y) mod 2
    ->  Stone = w
    ;   Stone = b
    ).

max_to_move(game(max, _, _)).

stone(max, w).
stone(min, b).

opponent(max, min).
opponent(min, max).

move(game(Side, Rows, Taken), take(from(R, C), to(R1, C1)), game(Other, Next, More)) :-
    opponent(Side, Other),
    stone(Side, Mine),
    stone(Other, Theirs),
    at(Rows, R, C, Mine),
    beside(R, C, R1, C1),
    at(Rows, R1, C1, Theirs),
    set(Rows, R, C, none, Half),
    set(Half, R1, C1, Mine, Next),
    More is Taken + 1.

at(Rows, R, C, Stone) :-
    nth1(R, Rows, Row),
    nth1(C, Row, Stone).

beside(R, C, R, C1) :- C1 is C + 1.
beside(R, C, R, C1) :- C > 1, C1 is C - 1.
beside(R, C, R1, C) :- R1 is R + 1.
beside(R, C, R1, C) :- R > 1, R1 is R - 1.

set(Rows, R, C, Stone, Next) :-
    nth1(R, Rows, Row, Rest),
    nth1(C, Row, _, Cells),
    nth1(C, NewRow, Stone, Cells),
    nth1(R, Next, NewRow, Rest).

no_moves(loss).
acyclic.

% a position is safe if nobody can take
safe(game(_, Rows, _)) :-
    \+ ( at(Rows, R, C, w), beside(R, C, R1, C1), at(Rows, R1, C1, b) ).

static_eval(game(Side, Rows, Taken), Value) :-
    opponent(Side, Other),
    findall(x, move(game(max, Rows, Taken), _, _), Ours),
    findall(x, move(game(min, Rows, Taken), _, _), Theirs),
    length(Ours, A),
    length(Theirs, B),
    tempo(Other, T),
    Value is 4 * (A - B) + T.

tempo(max, -1).
tempo(min, 1).

% try the moves that leave the other side few answers first
prefer(game(_, Rows, _), take(from(R, C), to(R1, C1)), Weight) :-
    rank(Rows, R, C, A),
    rank(Rows, R1, C1, B),
    Weight is B - A.

rank(Rows, R, C, N) :-
    findall(S, ( beside(R, C, R1, C1), at(Rows, R1, C1, S), S \== none ), L),
    length(L, N).

quiet(game(_, _, _)).

shown_move(game(_, _, _), take(from(R, C), to(R1, C1)), Text) :-
    format(atom(Text), "~d.~d-~d.~d", [R, C, R1, C1]).

show(game(Side, Rows, Taken), Lines) :-
    maplist(row_text, Rows, Texts),
    format(atom(Last), "~w to move, ~d taken", [Side, Taken]),
    append(Texts, [Last], Lines).

row_text(Row, Text) :-
    maplist(letter, Row, Letters),
    atomic_list_concat(Letters, ' ', Text).

letter(w, 'W').
letter(b, 'B').
letter(none, '.').
