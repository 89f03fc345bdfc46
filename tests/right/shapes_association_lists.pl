% Three in a row with a board that is an AVL tree from library(assoc): cell(X, Y) to x, o or e.
% A state is st(Board, Turn, Count); a move is put(cell(X, Y), Mark).

:- use_module(library(alphorn)).
:- use_module(library(assoc)).

:- expect(perft(1) = 9).
:- expect(perft(2) = 72).
:- expect(value = draw).
:- expect(holds((start(B), get_assoc(cell(1, 1), B, e)))).

initial(st(Board, x, 0)) :-
    start(Board).

start(Board) :-
    findall(cell(X, Y)-e, (between(1, 3, X), between(1, 3, Y)), Pairs),
    list_to_assoc(Pairs, Board).

max_to_move(st(_, x, _)).

moves(St, Nexts) :-
    findall(Next, successor(St, Next), Nexts).

successor(st(Board, Mark, Count), st(Next, Other, After)) :-
    gen_assoc(Cell, Board, e),
    put_assoc(Cell, Board, Mark, Next),
    turn(Mark, Other),
    After is Count + 1.

turn(x, o).
turn(o, x).

terminal(st(Board, _, _)) :-
    winner(Board, _).
terminal(st(_, _, 9)).

outcome(st(Board, _, _), win(Who)) :-
    winner(Board, Mark),
    player(Mark, Who),
    !.
outcome(st(_, _, 9), draw).

static_eval(st(Board, _, _), Value) :-
    open_lines(Board, x, A),
    open_lines(Board, o, B),
    Value is A - B.

winner(Board, Mark) :-
    line(Cells),
    Cells = [First|_],
    get_assoc(First, Board, Mark),
    Mark \== e,
    all_marked(Cells, Board, Mark).

all_marked([], _, _).
all_marked([Cell|Cells], Board, Mark) :-
    get_assoc(Cell, Board, Mark),
    all_marked(Cells, Board, Mark).

open_lines(Board, Mark, Count) :-
    turn(Mark, Other),
    findall(Cells, (line(Cells), \+ blocked(Cells, Board, Other)), Open),
    length(Open, Count).

blocked(Cells, Board, Mark) :-
    member(Cell, Cells),
    get_assoc(Cell, Board, Mark).

line([cell(1, Y), cell(2, Y), cell(3, Y)]) :-
    between(1, 3, Y).
line([cell(X, 1), cell(X, 2), cell(X, 3)]) :-
    between(1, 3, X).
line([cell(1, 1), cell(2, 2), cell(3, 3)]).
line([cell(1, 3), cell(2, 2), cell(3, 1)]).

player(x, max).
player(o, min).

acyclic.

symmetry(st(Board, Turn, Count), st(Image, Turn, Count)) :-
    assoc_to_list(Board, Pairs),
    maplist(turned, Pairs, Mapped),
    list_to_assoc(Mapped, Image).

turned(cell(X, Y)-Mark, cell(Y, X)-Mark).

show(st(Board, Turn, _), Lines) :-
    findall(Line, (member(Y, [3, 2, 1]), row(Y, Board, Line)), Rows),
    append(Rows, [Turn], Lines).

row(Y, Board, Line) :-
    findall(S, (between(1, 3, X), get_assoc(cell(X, Y), Board, M), sign(M, S)), Ss),
    atomic_list_concat(Ss, Line).

sign(e, '.').
sign(x, x).
sign(o, o).
