% Toads and Frogs (Winning Ways): toads go right, frogs go left, one step or a jump over one of the others.
% A position is swamp(Turn, Pieces), the pieces a sorted list of toad(Cell) and frog(Cell).
% A move is slide(From, To) or jump(From, Over, To). Who cannot move has lost.

:- use_module(library(alphorn)).

:- expect(perft(1) = 1).
:- expect(value(swamp(max, [toad(5), frog(6)])) = win(min)).
:- expect(best(swamp(max, [toad(1), frog(2)]), 3) = jump(1, 2, 3)).
:- expect(holds(move(swamp(max, [toad(1)]), slide(1, 2), _))).
:- expect(fails(move(swamp(min, [toad(1)]), _, _))).
:- expect(holds(free(2, [toad(1)]))).

initial(swamp(max, [toad(1), toad(2), frog(5), frog(6)])).

max_to_move(swamp(max, _)).

move(swamp(Turn, Pieces), Move, swamp(Next, Sorted)) :-
    piece(Turn, From, Piece),
    findall(Piece-Rest, select(Piece, Pieces, Rest), Choices),
    member(Piece-Others, Choices),
    way(Turn, From, Move, To, Others),
    piece(Turn, To, Moved),
    sort([Moved|Others], Sorted),
    opponent(Turn, Next).

way(Turn, From, slide(From, To), To, Others) :-
    step(Turn, D),
    To is From + D,
    free(To, Others).
way(Turn, From, jump(From, Over, To), To, Others) :-
    step(Turn, D),
    Over is From + D,
    opponent(Turn, Other),
    piece(Other, Over, Stone),
    memberchk(Stone, Others),
    To is Over + D,
    free(To, Others).

free(Cell, Pieces) :-
    between(1, 6, Cell),
    \+ member(toad(Cell), Pieces),
    \+ member(frog(Cell), Pieces).

piece(max, Cell, toad(Cell)) :-
    between(1, 6, Cell).
piece(min, Cell, frog(Cell)) :-
    between(1, 6, Cell).

step(max, 1).
step(min, -1).

opponent(max, min).
opponent(min, max).

no_moves(loss).

static_eval(swamp(_, Pieces), Value) :-
    findall(X, member(toad(X), Pieces), Xs),
    findall(Y, member(frog(Y), Pieces), Ys),
    sum_list(Xs, A),
    sum_list(Ys, B),
    Value is A + B - 14.

prefer(_, jump(_, _, _), 5).
prefer(swamp(max, _), slide(From, _), From).

noisy(swamp(_, _), jump(_, _, _)).

acyclic.

show(swamp(Turn, Pieces), [Row, Turn]) :-
    findall(C, (between(1, 6, X), sign(X, Pieces, C)), Cs),
    atomic_list_concat(Cs, Row).

sign(X, Pieces, t) :-
    memberchk(toad(X), Pieces),
    !.
sign(X, Pieces, f) :-
    memberchk(frog(X), Pieces),
    !.
sign(_, _, '.').

shown_move(_, slide(A, B), Text) :-
    atomic_list_concat([A, '-', B], Text).
shown_move(_, jump(A, _, B), Text) :-
    atomic_list_concat([A, x, B], Text).
