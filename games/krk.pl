% King and rook against king: White, who is MAX, mates, or loses the win by stalemate or the
% loss of the rook.  Source: the laws of chess; the 16 moves that White may need are known
% since M. Clarke's tables, 1977.

:- use_module(library(alphorn)).
:- use_module(library(fen)).

% 8/8/8/4k3/8/8/8/R3K3 w - - 0 1
:- expect(perft(1) = 15).
:- expect(perft(2) = 109).
:- expect(perft(3) = 1971).
:- expect(perft(4) = 13224).
:- expect(value(krk(w, s(7,6), s(1,1), s(8,8)), 1) = 999999).
:- expect(best(krk(w, s(7,6), s(1,1), s(8,8)), 1) = a1a8).
:- expect(value(krk(w, s(6,4), s(6,1), s(8,2)), 3) = 999997).
:- expect(best(krk(w, s(6,4), s(6,1), s(8,2)), 3) = f4f3).
% Stalemate; and a rook that Black takes.
:- expect(value(krk(b, s(3,1), s(2,2), s(1,1)), 1) = 0).
:- expect(value(krk(b, s(1,1), s(5,4), s(5,5)), 1) = 0).
:- expect(holds((initial(P), write_position(P, T), T = '8/8/8/4k3/8/8/8/R3K3 w - - 0 1',
                 read_position(T, P)))).
:- expect(fails(read_position('8/8/8/4k3/8/8/8/R3K2R w - - 0 1', _))).
:- expect(fails(read_position('8/8/8/R3k3/8/8/8/4K3 w - - 0 1', _))).
:- expect(holds((read_position('8/8/8/R3k3/8/8/8/4K3 b - - 0 1', P), \+ terminal(P)))).

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

square(s(X, Y)) :-
    between(1, 8, X),
    between(1, 8, Y).

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
    direction(Direction),
    slide(WR, Direction, WK, BK, WR1).

black_king_move(WK, WR, BK, WR1, BK1) :-
    king_step(BK, BK1),
    \+ touching(BK1, WK),
    (   BK1 == WR
    ->  WR1 = none
    ;   \+ attacks(WR, WK, BK1),
        WR1 = WR
    ).

king_step(s(X, Y), To) :-
    near(X, X1),
    near(Y, Y1),
    To = s(X1, Y1),
    To \== s(X, Y).

% The same square counts as touching.
touching(s(X, Y), s(X1, Y1)) :-
    near(X, X1),
    near(Y, Y1).

slide(From, Direction, WK, BK, To) :-
    rook_step(Direction, From, Next),
    Next \== WK,
    Next \== BK,
    (   To = Next
    ;   slide(Next, Direction, WK, BK, To)
    ).

rook_step(up, s(X, Y), s(X, Y1)) :- next(Y, Y1).
rook_step(down, s(X, Y), s(X, Y1)) :- next(Y1, Y).
rook_step(left, s(X, Y), s(X1, Y)) :- next(X1, X).
rook_step(right, s(X, Y), s(X1, Y)) :- next(X, X1).

direction(up).
direction(down).
direction(left).
direction(right).

% attacks(WR, WK, S): the rook attacks S, with White's king not in between.  Black's king
% shields nothing: it is the one to move.
attacks(s(X, Y), WK, s(X1, Y1)) :-
    (   X =:= X1
    ->  Y =\= Y1,
        \+ ( WK = s(X, K), inside(K, Y, Y1) )
    ;   Y =:= Y1,
        \+ ( WK = s(K, Y), inside(K, X, X1) )
    ).

inside(K, A, B) :-
    (   A < B
    ->  A < K,
        K < B
    ;   B < K,
        K < A
    ).

near(1, 1). near(1, 2).
near(2, 1). near(2, 2). near(2, 3).
near(3, 2). near(3, 3). near(3, 4).
near(4, 3). near(4, 4). near(4, 5).
near(5, 4). near(5, 5). near(5, 6).
near(6, 5). near(6, 6). near(6, 7).
near(7, 6). near(7, 7). near(7, 8).
near(8, 7). near(8, 8).

next(1, 2).
next(2, 3).
next(3, 4).
next(4, 5).
next(5, 6).
next(6, 7).
next(7, 8).

label(s(X, Y), s(X1, Y1), Label) :-
    file(X, A),
    file(X1, A1),
    atomic_list_concat([A, Y, A1, Y1], Label).

file(1, a).
file(2, b).
file(3, c).
file(4, d).
file(5, e).
file(6, f).
file(7, g).
file(8, h).

terminal(Pos) :-
    outcome(Pos, _).

outcome(Pos, Result) :-
    (   mate(Pos)
    ->  Result = win(max)
    ;   ( rook_lost(Pos) ; stalemate(Pos) )
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

rook_lost(krk(_, _, none, _)).

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

show(Pos, Lines) :-
    Pos = krk(Side, _, _, _),
    ranks(Pos, Ranks),
    rank_lines(Ranks, Picture),
    side_name(Side, Name),
    atom_concat(Name, ' to move', Status),
    append(Picture, [Status], Lines).

ranks(Pos, Ranks) :-
    findall(Rank, ( between(1, 8, Row), Y is 9 - Row, rank(Pos, Y, Rank) ), Ranks).

rank(Pos, Y, Rank) :-
    findall(Cell, ( between(1, 8, X), cell(Pos, s(X, Y), Cell) ), Rank).

cell(Pos, S, Cell) :-
    (   man(Pos, S, Man)
    ->  Cell = Man
    ;   Cell = '.'
    ).

man(krk(_, WK, _, _), WK, 'K').
man(krk(_, _, WR, _), WR, 'R').
man(krk(_, _, _, BK), BK, k).

side_name(w, 'White').
side_name(b, 'Black').

% FEN.  The clocks are no part of a position: any are read, 0 and 1 written.
write_position(Pos, Text) :-
    Pos = krk(Side, _, _, _),
    ranks(Pos, Ranks),
    write_fen(Ranks, [Side, -, -, 0, 1], Text).

read_position(Text, krk(Side, WK, WR, BK)) :-
    read_fen(Text, Ranks, [Side, -, -, _, _]),
    side_name(Side, _),
    findall(Man-s(X, Y), man_at(Ranks, Man, X, Y), Found),
    msort(Found, Sorted),
    placed(Sorted, WK, WR, BK),
    \+ touching(WK, BK),
    \+ ( Side == w, WR \== none, attacks(WR, WK, BK) ),
    !.

placed(['K'-WK, 'R'-WR, k-BK], WK, WR, BK).
placed(['K'-WK, k-BK], WK, none, BK).
