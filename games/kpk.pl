% King and pawn against king: White, who is MAX, wins by a promotion.  The game ends with it, won
% unless Black can take the queen or rook at once or is stalemated; with the loss of the pawn or a
% side that cannot move it is drawn.  Source: the laws of chess; M. Clarke's tables, 1977.

:- use_module(library(alphorn)).
:- use_module(library(endings)).

% 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1: chess.pl counts the same.
:- expect(perft(1) = 6).
:- expect(perft(2) = 30).
:- expect(perft(3) = 210).
:- expect(perft(4) = 1424).
:- expect(perft(5) = 10819).
% All positions.  White wins 124,960 and 97,604 of them, the figures often quoted, in 38 plies at
% most: so another program says that goes backward through them all, by its own rules and by
% these.  From there are the wins below too: White's king before its pawn, and a pawn that runs.
:- expect(holds(aggregate_all(count, position(kpk(w, _, _, _)), 163328))).
:- expect(holds(aggregate_all(count, position(kpk(b, _, _, _)), 168024))).
:- expect(value(kpk(w, s(5,6), p(5,5), s(5,8)), 9) = 999991).
:- expect(value(kpk(w, s(8,1), p(1,4), s(6,6)), 7) = 999993).
:- expect(best(kpk(w, s(8,1), p(1,4), s(6,6)), 7) = a4a5).
% Only a rook wins here, for a queen stalemates; and a queen that Black takes; and stalemates.
:- expect(best(kpk(w, s(3,6), p(3,7), s(1,7)), 1) = c7c8r).
:- expect(value(kpk(b, s(3,6), q(3), s(1,7)), 0) = 0).
:- expect(value(kpk(b, s(1,1), q(3), s(2,7)), 0) = 0).
:- expect(value(kpk(b, s(5,6), p(5,7), s(5,8)), 0) = 0).
:- expect(value(kpk(w, s(1,8), p(1,7), s(3,8)), 0) = 0).
:- expect(holds((initial(P), write_position(P, T), T = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1',
                 read_position(T, P)))).
:- expect(holds((read_position('2R5/k7/2K5/8/8/8/8/8 b - - 0 1', P), outcome(P, win(max))))).
:- expect(fails(read_position('4k3/8/8/8/8/8/4P3/4KP2 w - - 0 1', _))).
:- expect(fails(read_position('4k3/3P4/8/8/8/8/8/4K3 w - - 0 1', _))).

% kpk(Side to move, White's king, his man, Black's king): Side is w or b, a square s(File, Rank)
% with both from 1 to 8.  The man is p(File, Rank), on the last rank q(File) or r(File), or none
% once it is taken.
initial(kpk(w, s(5,1), p(5,2), s(5,8))).

max_to_move(kpk(w, _, _, _)).

% Every position with a pawn on the board in which the side that has moved is not in check.
position(kpk(Side, WK, p(X, Y), BK)) :-
    square(WK),
    square(BK),
    \+ touching(WK, BK),
    square(s(X, Y)),
    Y > 1,
    Y < 8,
    s(X, Y) \== WK,
    s(X, Y) \== BK,
    (   Side = w,
        \+ attacks(p(X, Y), WK, BK)
    ;   Side = b
    ).

% Moves are labelled as in UCI: e2e4, e7e8q.
move(kpk(w, WK, p(X, Y), BK), Label, kpk(b, WK1, p(X, Y), BK)) :-
    white_king_move(WK, X, Y, BK, WK1),
    label(WK, WK1, Label).
move(kpk(w, WK, p(X, Y), BK), Label, kpk(b, WK, Man, BK)) :-
    pawn_move(WK, X, Y, BK, Y1),
    label(s(X, Y), s(X, Y1), Start),
    (   Y1 < 8
    ->  Man = p(X, Y1),
        Label = Start
    ;   promotion(X, Man, Letter),
        atom_concat(Start, Letter, Label)
    ).
move(kpk(b, WK, p(X, Y), BK), Label, kpk(w, WK, Man, BK1)) :-
    black_king_move(WK, p(X, Y), BK, BK1),
    ( BK1 == s(X, Y) -> Man = none ; Man = p(X, Y) ),
    label(BK, BK1, Label).

white_king_move(WK, X, Y, BK, WK1) :-
    king_step(WK, WK1),
    WK1 \== s(X, Y),
    \+ touching(WK1, BK).

pawn_move(WK, X, Y, BK, To) :-
    Y1 is Y + 1,
    free(X, Y1, WK, BK),
    (   To = Y1
    ;   Y =:= 2,
        free(X, 4, WK, BK),
        To = 4
    ).

free(X, Y, WK, BK) :-
    s(X, Y) \== WK,
    s(X, Y) \== BK.

promotion(X, q(X), q).
promotion(X, r(X), r).

% It may take the man, if that is not next to White's king.
black_king_move(WK, Man, BK, BK1) :-
    king_step(BK, BK1),
    \+ touching(BK1, WK),
    \+ attacks(Man, WK, BK1).

% attacks(Man, WK, S): the man attacks S, and not its own square.  White's king may shield it;
% Black's does not, for it is the one to move.
attacks(p(X, Y), _, s(A, B)) :-
    B =:= Y + 1,
    abs(A - X) =:= 1.
attacks(q(X), WK, S) :-
    ( straight(s(X, 8), S) -> true ; diagonal(s(X, 8), S) ),
    \+ shields(WK, s(X, 8), S).
attacks(r(X), WK, S) :-
    straight(s(X, 8), S),
    \+ shields(WK, s(X, 8), S).

terminal(kpk(Side, WK, Man, BK)) :-
    (   Man = p(X, Y)
    ->  \+ can_move(Side, WK, X, Y, BK)
    ;   true
    ).

can_move(w, WK, X, Y, BK) :-
    ( pawn_move(WK, X, Y, BK, _) -> true ; white_king_move(WK, X, Y, BK, _), ! ).
can_move(b, WK, X, Y, BK) :-
    black_king_move(WK, p(X, Y), BK, _),
    !.

% A pawn alone never mates: without a move it is stalemate.
outcome(kpk(_, WK, Man, BK), Result) :-
    (   wins(Man, WK, BK)
    ->  Result = win(max)
    ;   Result = draw
    ).

% The new man cannot be taken, and Black is in check or has a move.
wins(Man, WK, BK) :-
    promotion(X, Man, _),
    \+ ( touching(BK, s(X, 8)), \+ touching(WK, s(X, 8)) ),
    ( attacks(Man, WK, BK) -> true ; black_king_move(WK, Man, BK, _), ! ).

% The farther the pawn, the nearer White's king to the square where it promotes and the farther
% Black's, the better.
static_eval(kpk(_, s(A, B), Man, s(C, D)), Value) :-
    (   Man = p(X, Y)
    ->  Value is 100 + 20 * Y - 5 * max(abs(A - X), 8 - B) + 10 * max(abs(C - X), 8 - D)
    ;   Value = 0
    ).

value_range(0, 1000).
repetition(draw).

% The mirror image with the pawn on the left half of the board.
canonical(Pos, Canonical) :-
    (   mirrored(Pos, Image)
    ->  Canonical = Image
    ;   Canonical = Pos
    ).

mirrored(kpk(Side, s(A, B), Man, s(C, D)), kpk(Side, s(A1, B), Man1, s(C1, D))) :-
    mirrored_man(Man, Man1),
    A1 is 9 - A,
    C1 is 9 - C.

mirrored_man(p(X, Y), p(X1, Y)) :- X > 4, X1 is 9 - X.
mirrored_man(q(X), q(X1)) :- X > 4, X1 is 9 - X.
mirrored_man(r(X), r(X1)) :- X > 4, X1 is 9 - X.

show(kpk(Side, WK, Man, BK), Lines) :-
    men(WK, Man, BK, Men),
    men_lines(Men, Side, Lines).

write_position(kpk(Side, WK, Man, BK), Text) :-
    men(WK, Man, BK, Men),
    write_men(Men, Side, Text).

men(WK, Man, BK, Men) :-
    (   man_on(Man, S, Letter)
    ->  Men = ['K'-WK, Letter-S, k-BK]
    ;   Men = ['K'-WK, k-BK]
    ).

man_on(p(X, Y), s(X, Y), 'P').
man_on(q(X), s(X, 8), 'Q').
man_on(r(X), s(X, 8), 'R').

read_position(Text, kpk(Side, WK, Man, BK)) :-
    read_men(Text, Men, Side),
    placed(Men, Side, WK, Man, BK),
    \+ touching(WK, BK),
    \+ ( Side == w, attacks(Man, WK, BK) ),
    !.

placed(['K'-WK, k-BK], w, WK, none, BK).
placed(['K'-WK, 'P'-s(X, Y), k-BK], _, WK, p(X, Y), BK) :- Y > 1, Y < 8.
placed(['K'-WK, 'Q'-s(X, 8), k-BK], b, WK, q(X), BK).
placed(['K'-WK, 'R'-s(X, 8), k-BK], b, WK, r(X), BK).
