% A goal has max where the helper knows the sides white and black.
% code: A0309
% at: 72:49
% help: won/2 answers with
% mend 72: |outcome(board(_, Cells, _, _), win(max)) :- won(white, Cells), !.
% Two stones each on a 3x3 board: place both, then slide.
% Whoever has two stones on the far row of the opponent wins.
:- use_module(library(alphorn)).

:- expect(perft(1) = 9).
:- expect(perft(2) = 72).
:- expect(value(board(white, [cell(1,1,white), cell(2,2,white), cell(3,3,black)], hand(0, 1), 3), 1) = 2).
:- expect(value(board(white, [cell(1,3,white), cell(2,2,white), cell(1,1,black), cell(3,1,white)], hand(0, 0), 4)) = win(max)).
:- expect(best(board(white, [cell(1,3,white), cell(2,2,white), cell(1,1,black), cell(3,2,black)], hand(0, 0), 4), 1) = slide(2-2, 2-3)).
:- expect(holds(move(board(black, [cell(1,1,white)], hand(1, 2), 9), place(2, 2), _))).
:- expect(fails(move(board(black, [cell(1,1,white)], hand(1, 2), 9), place(1, 1), _))).
:- expect(holds(neighbour(2-2, 2-3))).
:- expect(fails(terminal(board(white, [], hand(2, 2), 12)))).
:- expect(holds(shown_move(board(white, [cell(1,1,white)], hand(0, 2), 5), slide(1-1, 1-2), 'a1-a2'))).

initial(board(white, [], hand(2, 2), 12)).

max_to_move(board(white, _, _, _)).

move(board(Turn, Cells, Hand, Left), place(X, Y), board(Other, [cell(X, Y, Turn)|Cells], Hand1, Left1)) :-
    from_hand(Turn, Hand, Hand1),
    opponent(Turn, Other),
    square(X, Y),
    \+ member(cell(X, Y, _), Cells),
    Left1 is Left - 1.
move(board(Turn, Cells, Hand, Left), slide(X1-Y1, X2-Y2), board(Other, [cell(X2, Y2, Turn)|Rest], Hand, Left1)) :-
    \+ from_hand(Turn, Hand, _),
    opponent(Turn, Other),
    select(cell(X1, Y1, Turn), Cells, Rest),
    neighbour(X1-Y1, X2-Y2),
    \+ member(cell(X2, Y2, _), Rest),
    Left1 is Left - 1.
move(board(Turn, Cells, Hand, Left), wait, board(Other, Cells, Hand, Left1)) :-
    Turn == black,
    \+ from_hand(Turn, Hand, _),
    opponent(Turn, Other),
    Left1 is Left - 1.

from_hand(white, hand(W, B), hand(W1, B)) :- W > 0, W1 is W - 1.
from_hand(black, hand(W, B), hand(W, B1)) :- B > 0, B1 is B - 1.

opponent(white, black).
opponent(black, white).

square(X, Y) :- between(1, 3, X), between(1, 3, Y).

neighbour(X-Y, X2-Y) :- step(X, X2).
neighbour(X-Y, X-Y2) :- step(Y, Y2).

step(1, 2).
step(2, 1).
step(2, 3).
step(3, 2).

far_row(white, 3).
far_row(black, 1).

won(Player, Cells) :-
    far_row(Player, Y),
    member(cell(X1, Y, Player), Cells),
    member(cell(X2, Y, Player), Cells),
    X1 < X2.

terminal(board(_, Cells, hand(0, 0), _)) :- won(_, Cells).
terminal(board(_, _, _, 0)).

outcome(board(_, Cells, _, _), win(max)) :- won(max, Cells), !.
outcome(board(_, Cells, _, _), win(min)) :- won(black, Cells), !.
outcome(_, draw).

no_moves(draw).
acyclic.

static_eval(board(_, Cells, _, _), V) :-
    advance(white, Cells, W),
    advance(black, Cells, B),
    V is W - B.

advance(Player, Cells, Sum) :-
    far_row(Player, Far),
    findall(P, ( member(cell(_, Y, Player), Cells), P is 2 - abs(Far - Y) ), Ps),
    sum_list(Ps, Sum).

prefer(board(Turn, _, _, _), slide(_, _-Y), 5) :- far_row(Turn, Y), !.
prefer(_, place(2, 2), 3) :- !.
prefer(_, wait, -1) :- !.
prefer(_, _, 0).

shown_move(_, place(X, Y), Text) :- name(X-Y, Text).
shown_move(_, slide(A, B), Text) :- name(A, N), name(B, M), atomic_list_concat([N, M], '-', Text).
shown_move(_, wait, wait).

name(X-Y, Name) :- file(X, F), atom_concat(F, Y, Name).

file(1, a).
file(2, b).
file(3, c).

show(board(_, Cells, _, _), Lines) :- maplist(row(Cells), [3, 2, 1], Lines).

row(Cells, Y, Line) :-
    findall(S, ( between(1, 3, X), sign(X, Y, Cells, S) ), Ss),
    atomic_list_concat(Ss, ' ', Line).

sign(X, Y, Cells, w) :- member(cell(X, Y, white), Cells), !.
sign(X, Y, Cells, b) :- member(cell(X, Y, black), Cells), !.
sign(_, _, _, '.').
