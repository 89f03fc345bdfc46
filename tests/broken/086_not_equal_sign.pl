% The sign for not equal.
% code: A0101
% at: 23:46
% help: =\=
% mend 23: |rolled(P, A, B, T, N, turn(P, A, B, S)) :- N =\= 1, S is T + N.
:- use_module(library(alphorn)).
:- use_module(library(dice)).

% A small game of Pig: roll a die and add, or hold; a one loses the turn.
initial(turn(max, 0, 0, 0)).

max_to_move(turn(max, _, _, _)).

move(turn(P, A, B, T), roll, rolling(P, A, B, T)).
move(turn(max, A, B, T), hold, turn(min, C, B, 0)) :- T > 0, C is A + T.
move(turn(min, A, B, T), hold, turn(max, A, C, 0)) :- T > 0, C is B + T.

chance(rolling(P, A, B, T), Outcomes) :-
    die(4, Rolls),
    outcomes(Rolls, rolled(P, A, B, T), Outcomes).

rolled(P, A, B, _, 1, turn(Q, A, B, 0)) :- other(P, Q).
rolled(P, A, B, T, N, turn(P, A, B, S)) :- N ≠ 1, S is T + N.

terminal(turn(_, A, _, _)) :- A >= 6.
terminal(turn(_, _, B, _)) :- B >= 6.

outcome(turn(_, A, _, _), win(max)) :- A >= 6.
outcome(turn(_, _, B, _), win(min)) :- B >= 6.

static_eval(turn(_, A, B, _), V) :- V is min(5, A) - min(5, B).
static_eval(rolling(_, A, B, _), V) :- V is min(5, A) - min(5, B).

value_range(-10, 10).

other(max, min).
other(min, max).
