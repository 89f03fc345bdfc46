% A clause of a helper has another word for a side than all calls.
% code: A0309
% at: 115:7
% help: did you mean b?
% mend 115: |spend(b, stock(W, B), stock(W, B1)) :- B > 0, B1 is B - 1.
% Squads: on a board of three columns and four rows, White (w, MAX) marches up
% and Black (b, MIN) marches down. A soldier steps straight ahead to a free
% cell, or takes an enemy diagonally ahead. Instead, a player may drop a soldier
% of the reserve on a free cell of the home row. Whoever reaches the far row
% wins; whoever cannot move loses.
:- use_module(library(alphorn)).

:- expect(perft(1) = 3).
:- expect(perft(3) = 31).
:- expect(value = win(min)).
:- expect(value(st(w, [row(1, [f, f, f]), row(2, [f, f, f]), row(3, [w, f, b]), row(4, [f, f, f])], stock(0, 0))) = 999999).
:- expect(best(st(w, [row(1, [f, f, f]), row(2, [f, b, f]), row(3, [w, f, f]), row(4, [f, f, f])], stock(0, 0)), 3) = step(a/3, a/4)).
:- expect(best(st(b, [row(1, [w, w, f]), row(2, [b, f, f]), row(3, [f, f, f]), row(4, [f, f, f])], stock(0, 0)), 1) = take(a/2, b/1)).
:- expect(holds(terminal(st(b, [row(1, [f, f, f]), row(2, [f, f, f]), row(3, [f, f, b]), row(4, [w, f, f])], stock(1, 0))))).
:- expect(fails(terminal(st(w, [row(1, [w, f, f]), row(2, [f, f, f]), row(3, [f, f, f]), row(4, [b, f, f])], stock(0, 1))))).
:- expect(holds(move(st(w, [row(1, [w, f, f]), row(2, [f, b, f]), row(3, [f, f, f]), row(4, [f, f, f])], stock(0, 0)), take(a/1, b/2), _))).
:- expect(holds(on([row(1, [w, f, f]), row(2, [f, f, b])], c/2, b))).

initial(st(w, [row(1, [w, f, w]), row(2, [f, f, f]), row(3, [f, f, f]), row(4, [b, f, b])], stock(1, 1))).

max_to_move(st(w, _, _)).

move(st(Side, Rows, Stock), step(From, To), st(Other, Next, Stock)) :-
    enemy(Side, Other),
    on(Rows, From, Side),
    ahead(Side, From, To),
    on(Rows, To, f),
    put(Rows, From, f, Rows1),
    put(Rows1, To, Side, Next).
move(st(Side, Rows, Stock), take(From, To), st(Other, Next, Stock)) :-
    enemy(Side, Other),
    on(Rows, From, Side),
    diagonal(Side, From, To),
    on(Rows, To, Other),
    put(Rows, From, f, Rows1),
    put(Rows1, To, Side, Next).
move(st(Side, Rows, Stock), drop(Side, Cell), st(Other, Next, Stock1)) :-
    enemy(Side, Other),
    spend(Side, Stock, Stock1),
    home(Side, Y),
    Cell = _/Y,
    on(Rows, Cell, f),
    put(Rows, Cell, Side, Next).

terminal(st(_, Rows, _)) :- arrived(Rows, _).

outcome(st(_, Rows, _), win(max)) :- arrived(Rows, w).
outcome(st(_, Rows, _), win(min)) :- arrived(Rows, b).

no_moves(loss).
acyclic.

static_eval(st(_, Rows, stock(W, B)), Value) :-
    findall(Y, on(Rows, _/Y, w), Whites),
    findall(D, (on(Rows, _/Y, b), D is 5 - Y), Blacks),
    sum_list(Whites, SW),
    sum_list(Blacks, SB),
    Value is SW - SB + W - B.

prefer(_, take(_, _), 10).
prefer(st(w, _, _), step(_, _/Y), Y).
prefer(st(b, _, _), step(_, _/Y), Weight) :- Weight is 5 - Y.

shown_move(_, step(X/Y, _), Text) :- atom_concat(X, Y, Text).
shown_move(_, take(X/Y, V/W), Text) :- atomic_list_concat([X, Y, x, V, W], Text).
shown_move(_, drop(_, X/Y), Text) :- atomic_list_concat(['+', X, Y], Text).

show(st(_, Rows, stock(W, B)), Lines) :-
    reverse(Rows, Down),
    maplist(row_line, Down, Picture),
    format(atom(Last), 'stock ~w ~w', [W, B]),
    append(Picture, [Last], Lines).

row_line(row(Y, Cells), Line) :-
    maplist(sign, Cells, Signs),
    atomic_list_concat([Y|Signs], ' ', Line).

sign(f, '.').
sign(w, w).
sign(b, b).

% on(Rows, X/Y, What): the cell in column X and row Y holds What.
on(Rows, X/Y, What) :-
    member(row(Y, Cells), Rows),
    column(X, I),
    nth1(I, Cells, What).

% put(Rows, X/Y, What, New): New is Rows with What in this cell.
put([row(Y, Cells)|Rows], X/Y, What, [row(Y, New)|Rows]) :-
    !,
    column(X, I),
    replace(I, Cells, What, New).
put([Row|Rows], Cell, What, [Row|New]) :- put(Rows, Cell, What, New).

replace(1, [_|Cells], What, [What|Cells]) :- !.
replace(I, [Cell|Cells], What, [Cell|New]) :-
    J is I - 1,
    replace(J, Cells, What, New).

ahead(w, X/Y, X/Z) :- Z is Y + 1.
ahead(b, X/Y, X/Z) :- Z is Y - 1.

diagonal(Side, X/Y, V/Z) :-
    ahead(Side, X/Y, X/Z),
    beside(X, V).

beside(X, V) :- column(X, I), column(V, J), abs(I - J) =:= 1.

spend(w, stock(W, B), stock(W1, B)) :- W > 0, W1 is W - 1.
spend(black, stock(W, B), stock(W, B1)) :- B > 0, B1 is B - 1.

arrived(Rows, w) :- on(Rows, _/4, w).
arrived(Rows, b) :- on(Rows, _/1, b).

home(w, 1).
home(b, 4).

column(a, 1).
column(b, 2).
column(c, 3).

enemy(w, b).
enemy(b, w).
