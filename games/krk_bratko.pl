% King and rook against king by the advice of a textbook, which lets 48 wins go: `alphorn prove`
% finds them.  In 40 keep_room stalemates, and 8 lead there.  krk.pl has the same game with
% advice that never fails.  Source: Ivan Bratko, Prolog Programming for Artificial Intelligence,
% 1986 and later; the table is that of the fourth edition.

:- use_module(library(alphorn)).
:- use_module(library(endings)).

% 8/8/8/4k3/8/8/8/R3K3 w - - 0 1
:- expect(perft(1) = 15).
:- expect(perft(2) = 109).
:- expect(perft(3) = 1971).
:- expect(value(krk(w, s(3,1), s(2,2), s(1,1)), 5) = 999995).
% White to move wins here; keep_room plays c1c2, and that is stalemate.
:- expect(holds((move(krk(w, s(3,1), s(2,2), s(1,1)), c1c2, Next), stalemate(Next)))).

% krk(Side to move, White's king, his rook, Black's king): Side is w or b, a square s(File,
% Rank) with both from 1 to 8; the rook is none once it is taken.
initial(krk(w, s(5,1), s(1,1), s(5,5))).

max_to_move(krk(w, _, _, _)).

% Every position with the rook on the board in which the side that has moved is not in check.
position(krk(Side, WK, WR, BK)) :-
    square(WK),
    square(BK),
    \+ touching(WK, BK),
    square(WR),
    WR \== WK,
    WR \== BK,
    (   Side = w,
        \+ attacks(WR, WK, BK)
    ;   Side = b
    ).

% Moves are labelled as in UCI: a1a8.
move(krk(w, WK, WR, BK), Label, krk(b, WK1, WR, BK)) :-
    white_king_move(WK, WR, BK, WK1),
    label(WK, WK1, Label).
move(krk(w, WK, WR, BK), Label, krk(b, WK, WR1, BK)) :-
    rook_move(WK, WR, BK, WR1),
    label(WR, WR1, Label).
move(krk(b, WK, WR, BK), Label, krk(w, WK, WR1, BK1)) :-
    black_king_move(WK, WR, BK, WR1, BK1),
    label(BK, BK1, Label).

white_king_move(WK, WR, BK, WK1) :-
    WR \== none,
    king_step(WK, WK1),
    WK1 \== WR,
    \+ touching(WK1, BK).

rook_move(WK, WR, BK, WR1) :-
    rook_step(WR, WR1),
    WR1 \== WK,
    WR1 \== BK,
    \+ shields(WK, WR, WR1),
    \+ shields(BK, WR, WR1).

black_king_move(WK, WR, BK, WR1, BK1) :-
    king_step(BK, BK1),
    \+ touching(BK1, WK),
    (   BK1 == WR
    ->  WR1 = none
    ;   \+ attacks(WR, WK, BK1),
        WR1 = WR
    ).

% attacks(WR, WK, S): the rook attacks S.  White's king may shield it; Black's does not, for
% it is the one to move.
attacks(WR, WK, S) :-
    straight(WR, S),
    \+ shields(WK, WR, S).

terminal(Pos) :-
    outcome(Pos, _).

outcome(Pos, Result) :-
    (   mate(Pos)
    ->  Result = win(max)
    ;   ( rook_taken(Pos) ; stalemate(Pos) )
    ->  Result = draw
    ).

mate(Pos) :-
    in_check(Pos),
    \+ black_can_move(Pos).

stalemate(krk(b, WK, WR, BK)) :-
    WR \== none,
    \+ attacks(WR, WK, BK),
    \+ black_can_move(krk(b, WK, WR, BK)).

in_check(krk(b, WK, WR, BK)) :-
    WR \== none,
    attacks(WR, WK, BK).

black_can_move(krk(b, WK, WR, BK)) :-
    black_king_move(WK, WR, BK, _, _),
    !.

rook_taken(krk(_, _, none, _)).

% The nearer Black's king to the edge and White's to it, the better.
static_eval(Pos, Value) :-
    (   outcome(Pos, Result)
    ->  worth(Result, Value)
    ;   Pos = krk(_, s(A, B), _, s(X, Y)),
        Value is 100 + 4 * (abs(2 * X - 9) + abs(2 * Y - 9)) - abs(A - X) - abs(B - Y)
    ).

worth(win(max), 1000).
worth(draw, 0).

value_range(0, 1000).
repetition(draw).

% Advice as published, with one slip mended: of White's king it asks `okedge`, which nothing
% defines; our_king_on_edge is meant.
edge :: if their_king_on_edge and kings_close
    then [mate(2), squeeze, approach, keep_room, divide(2), divide(3)].
otherwise :: if true
    then [squeeze, approach, keep_room, divide(2), divide(3)].

% Mates by a check, without letting Black's king off the edge.
advice(mate(2), [
    better(mate),
    holding(not rook_lost and their_king_on_edge),
    us([at(0, legal), at(2, check)]),
    them(at(1, legal))
]).
% Makes the room smaller that the rook leaves Black's king.
advice(squeeze, [
    better(room < root(room) and not exposed and divides and not stalemate),
    holding(not rook_lost),
    us(at(0, rook_move)),
    them([])
]).
% Brings White's king nearer to the square from which it supports the rook.
advice(approach, [
    better(critical_distance < root(critical_distance) and not exposed and not stalemate
           and (divides or l_pattern) and (room > 2 or not our_king_on_edge)),
    holding(not rook_lost),
    us(at(0, king_move)),
    them([])
]).
% Waits, and stays near the rook.  Wrong: it may stalemate.
advice(keep_room, [
    better(them_to_move and not exposed and divides
           and rook_distance =< root(rook_distance) and (room > 2 or not our_king_on_edge)),
    holding(not rook_lost),
    us(at(0, king_move)),
    them([])
]).
% Puts the rook between the kings, in N moves.  Wrong in the same way.
advice(divide(N), [
    better(them_to_move and divides and not exposed),
    holding(not rook_lost),
    us(before(2 * N - 1, legal)),
    them(before(2 * N - 2, legal))
]).

move_class(rook_move, krk(_, WK, _, _), _, krk(_, WK, _, _)).
move_class(king_move, krk(_, _, WR, _), _, krk(_, _, WR, _)).
move_class(check, _, _, Next) :- in_check(Next).

them_to_move(krk(b, _, _, _)).
their_king_on_edge(krk(_, _, _, BK)) :- on_edge(BK).
our_king_on_edge(krk(_, WK, _, _)) :- on_edge(WK).
kings_close(krk(_, WK, _, BK)) :- distance(WK, BK, D), D < 4.
rook_distance(krk(_, WK, WR, _), D) :- distance(WK, WR, D).

% Taken, or Black can take it.
rook_lost(krk(_, _, none, _)) :- !.
rook_lost(krk(b, WK, WR, BK)) :- touching(BK, WR), \+ touching(WK, WR).

% Black's king may attack the rook before White's defends it.
exposed(krk(Side, WK, WR, BK)) :-
    distance(WK, WR, Ours),
    distance(BK, WR, Theirs),
    ( Side == w -> Ours > Theirs + 1 ; Ours > Theirs ).

% The rook's file or rank lies between the kings.
divides(krk(_, s(A, B), s(X, Y), s(C, D))) :-
    ( inside(X, A, C) ; inside(Y, B, D) ),
    !.

% The kings face each other, the rook beside White's.
l_pattern(krk(_, WK, WR, BK)) :-
    steps(WK, BK, 2),
    steps(WR, BK, 3).

% The squares on Black's side of the rook's file and rank; all where the king is on one of these.
room(krk(_, _, s(X, Y), s(A, B)), Room) :-
    (   side(A, X, Width),
        side(B, Y, Height)
    ->  Room is Width * Height
    ;   Room = 64
    ).

side(A, X, N) :- ( A < X -> N is X - 1 ; A > X, N is 8 - X ).

% From White's king to the square diagonal to the rook, towards Black's king.
critical_distance(krk(_, WK, s(X, Y), s(A, B)), D) :-
    ( A < X -> C is X - 1 ; C is X + 1 ),
    ( B < Y -> E is Y - 1 ; E is Y + 1 ),
    steps(WK, s(C, E), D).

show(krk(Side, WK, WR, BK), Lines) :-
    men_lines(['K'-WK, 'R'-WR, k-BK], Side, Lines).

write_position(krk(Side, WK, WR, BK), Text) :-
    write_men(['K'-WK, 'R'-WR, k-BK], Side, Text).

read_position(Text, krk(Side, WK, WR, BK)) :-
    read_men(Text, Men, Side),
    placed(Men, WK, WR, BK),
    \+ touching(WK, BK),
    \+ ( Side == w, WR \== none, attacks(WR, WK, BK) ),
    !.

placed(['K'-WK, 'R'-WR, k-BK], WK, WR, BK).
placed(['K'-WK, k-BK], WK, none, BK).
