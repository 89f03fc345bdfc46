% King and queen against king: White, who is MAX, mates, or loses the win by stalemate or the
% loss of the queen.  Source: the laws of chess; at most 10 moves are known to be needed.

:- use_module(library(alphorn)).
:- use_module(library(endings)).

% 4k3/8/8/8/8/8/8/3QK3 w - - 0 1: chess.pl counts 21, 73 and 1851, for it plays on where Black
% has taken the queen, which here ends the game: 2 such ways, and 5 moves then.
:- expect(perft(1) = 21).
:- expect(perft(2) = 73).
:- expect(perft(3) = 1841).
:- expect(perft(4) = 8862).
% All positions, counted by another program with rules of its own; the perft counts too.
:- expect(holds(aggregate_all(count, position(kqk(w, _, _, _)), 144508))).
:- expect(holds(aggregate_all(count, position(kqk(b, _, _, _)), 223944))).
:- expect(holds(aggregate_all(count, ( position(P), mate(P) ), 364))).
:- expect(holds(aggregate_all(count, ( position(P), stalemate(P) ), 872))).
:- expect(value(kqk(w, s(7,6), s(1,1), s(8,8)), 1) = 999999).
:- expect(value(kqk(w, s(1,3), s(4,2), s(1,1)), 1) = 999999).
% Stalemate; and a queen that Black takes.
:- expect(value(kqk(b, s(5,1), s(2,3), s(1,1)), 1) = 0).
:- expect(value(kqk(b, s(1,1), s(5,4), s(5,5)), 1) = 0).
:- expect(holds((initial(P), write_position(P, T), T = '4k3/8/8/8/8/8/8/3QK3 w - - 0 1',
                 read_position(T, P)))).
:- expect(fails(read_position('4k3/8/8/8/8/8/8/3QK2Q w - - 0 1', _))).
:- expect(fails(read_position('8/8/8/Q3k3/8/8/8/4K3 w - - 0 1', _))).

% kqk(Side to move, White's king, his queen, Black's king): Side is w or b, a square s(File,
% Rank) with both from 1 to 8; the queen is none once it is taken.
initial(kqk(w, s(5,1), s(4,1), s(5,8))).

max_to_move(kqk(w, _, _, _)).

% Every position with the queen on the board in which the side that has moved is not in check.
position(kqk(Side, WK, WQ, BK)) :-
    square(WK),
    square(BK),
    \+ touching(WK, BK),
    square(WQ),
    WQ \== WK,
    WQ \== BK,
    (   Side = w,
        \+ attacks(WQ, WK, BK)
    ;   Side = b
    ).

% Moves are labelled as in UCI: d1d8.
move(kqk(w, WK, WQ, BK), Label, kqk(b, WK1, WQ, BK)) :-
    white_king_move(WK, WQ, BK, WK1),
    label(WK, WK1, Label).
move(kqk(w, WK, WQ, BK), Label, kqk(b, WK, WQ1, BK)) :-
    queen_move(WK, WQ, BK, WQ1),
    label(WQ, WQ1, Label).
move(kqk(b, WK, WQ, BK), Label, kqk(w, WK, WQ1, BK1)) :-
    black_king_move(WK, WQ, BK, WQ1, BK1),
    label(BK, BK1, Label).

white_king_move(WK, WQ, BK, WK1) :-
    WQ \== none,
    king_step(WK, WK1),
    WK1 \== WQ,
    \+ touching(WK1, BK).

queen_move(WK, WQ, BK, WQ1) :-
    queen_step(WQ, WQ1),
    WQ1 \== WK,
    WQ1 \== BK,
    \+ shields(WK, WQ, WQ1),
    \+ shields(BK, WQ, WQ1).

black_king_move(WK, WQ, BK, WQ1, BK1) :-
    king_step(BK, BK1),
    \+ touching(BK1, WK),
    (   BK1 == WQ
    ->  WQ1 = none
    ;   \+ attacks(WQ, WK, BK1),
        WQ1 = WQ
    ).

% attacks(WQ, WK, S): the queen attacks S.  White's king may shield it; Black's does not, for
% it is the one to move.
attacks(WQ, WK, S) :-
    ( straight(WQ, S) -> true ; diagonal(WQ, S) ),
    \+ shields(WK, WQ, S).

terminal(Pos) :-
    outcome(Pos, _).

outcome(Pos, Result) :-
    (   mate(Pos)
    ->  Result = win(max)
    ;   ( queen_taken(Pos) ; stalemate(Pos) )
    ->  Result = draw
    ).

mate(Pos) :-
    in_check(Pos),
    \+ black_can_move(Pos).

stalemate(kqk(b, WK, WQ, BK)) :-
    WQ \== none,
    \+ attacks(WQ, WK, BK),
    \+ black_can_move(kqk(b, WK, WQ, BK)).

in_check(kqk(b, WK, WQ, BK)) :-
    WQ \== none,
    attacks(WQ, WK, BK).

black_can_move(kqk(b, WK, WQ, BK)) :-
    black_king_move(WK, WQ, BK, _, _),
    !.

queen_taken(kqk(_, _, none, _)).

% The nearer Black's king to the edge and White's to it, the better.
static_eval(Pos, Value) :-
    (   outcome(Pos, Result)
    ->  worth(Result, Value)
    ;   Pos = kqk(_, s(A, B), _, s(X, Y)),
        Value is 100 + 4 * (abs(2 * X - 9) + abs(2 * Y - 9)) - abs(A - X) - abs(B - Y)
    ).

worth(win(max), 1000).
worth(draw, 0).

value_range(0, 1000).
repetition(draw).

% Advice that mates from every position, as `alphorn prove` shows: in 23 moves at most, 10.69
% in the mean of the longest lines.  The queen's file and rank fence Black's king in; squeeze
% makes its room smaller, approach brings White's king nearer to the corner of that room, and
% neither makes the room larger, so that no position comes again.  release is for eight
% positions in which both kings stand in a strip on the edge.
edge :: if their_king_on_edge and kings_close
    then [mate(1), mate(2), halve, squeeze(1), approach(1), squeeze(2), approach(2),
          squeeze(3), release].
otherwise :: if true
    then [halve, squeeze(1), approach(1), squeeze(2), approach(2), squeeze(3), release].

advice(mate(N), [
    better(mate),
    holding(not queen_lost),
    us(before(2 * N - 1, legal)),
    them(before(2 * N - 2, legal))
]).
advice(halve, [
    better(them_to_move and 2 * room =< root(room) and not stalemate),
    holding(not queen_lost),
    us(at(0, legal)),
    them([])
]).
advice(squeeze(N), [
    better(them_to_move and room < root(room) and not stalemate),
    holding(not queen_lost),
    us(before(2 * N - 1, legal)),
    them(before(2 * N - 2, legal))
]).
advice(approach(N), [
    better(them_to_move and corner_distance < root(corner_distance)
           and room =< root(room) and not stalemate),
    holding(not queen_lost),
    us(before(2 * N - 1, legal)),
    them(before(2 * N - 2, legal))
]).
advice(release, [
    better(them_to_move and room < 64 and not stalemate),
    holding(not queen_lost),
    us(at(0, legal)),
    them([])
]).

them_to_move(kqk(b, _, _, _)).
their_king_on_edge(kqk(_, _, _, BK)) :- on_edge(BK).
kings_close(kqk(_, WK, _, BK)) :- distance(WK, BK, D), D < 4.

% Taken, or Black can take it.
queen_lost(kqk(_, _, none, _)) :- !.
queen_lost(kqk(b, WK, WQ, BK)) :- touching(BK, WQ), \+ touching(WK, WQ).

% The squares on Black's side of the fence.  There is none where White's king makes a gap in
% it or Black's stands on it, and one or two squares are too few to live in.
room(kqk(_, WK, WQ, BK), Room) :-
    (   fenced(WQ, BK, Squares),
        Squares > 2,
        \+ gap(WK, WQ, BK)
    ->  Room = Squares
    ;   Room = 64
    ).

fenced(s(X, Y), s(A, B), Squares) :-
    side(A, X, Width),
    side(B, Y, Height),
    Squares is Width * Height.

side(A, X, N) :- ( A < X -> N is X - 1 ; A > X, N is 8 - X ).

gap(s(X, K), s(X, Y), s(_, B)) :- same_side(K, B, Y).
gap(s(K, Y), s(X, Y), s(A, _)) :- same_side(K, A, X).

same_side(K, A, X) :- ( K < X -> A < X ; A > X ).

corner_distance(kqk(_, WK, s(X, Y), s(A, B)), D) :-
    ( A < X -> C = 1 ; C = 8 ),
    ( B < Y -> E = 1 ; E = 8 ),
    distance(WK, s(C, E), D).

show(kqk(Side, WK, WQ, BK), Lines) :-
    men_lines(['K'-WK, 'Q'-WQ, k-BK], Side, Lines).

write_position(kqk(Side, WK, WQ, BK), Text) :-
    write_men(['K'-WK, 'Q'-WQ, k-BK], Side, Text).

read_position(Text, kqk(Side, WK, WQ, BK)) :-
    read_men(Text, Men, Side),
    placed(Men, WK, WQ, BK),
    \+ touching(WK, BK),
    \+ ( Side == w, WQ \== none, attacks(WQ, WK, BK) ),
    !.

placed(['K'-WK, 'Q'-WQ, k-BK], WK, WQ, BK).
placed(['K'-WK, k-BK], WK, none, BK).
