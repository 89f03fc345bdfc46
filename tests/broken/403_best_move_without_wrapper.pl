% The best move is a part of the next position.
% code: A0311
% at: 14:45
% help: clob
% mend 14: |:- expect(best(clob(w, [[w,b],[e,b]]), 4) = clob(b, [[e,w],[e,b]])).
% Clobber on a small board of rows: a stone moves onto a neighbouring
% stone of the other side and removes it. Whoever cannot move loses.
:- use_module(library(alphorn)).
:- expect(perft(1) = 7).
:- expect(perft(2) = 22).
:- expect(perft(clob(w, [[w,b],[e,b]]), 2) = 1).
:- expect(value(clob(w, [[w,b],[e,e]])) = win(max)).
:- expect(value(clob(b, [[w,e],[e,b]])) = win(max)).
:- expect(best(clob(w, [[w,b],[e,b]]), 4) = [[e,w],[e,b]]).
:- expect(holds(on_board([[e,b],[w,e]], 1-2, w))).

% clob(Side to move, Rows)
initial(clob(w, [[w,b,w],[b,w,b]])).

max_to_move(clob(w, _)).

moves(clob(Side, Rows), Nexts) :-
    findall(Next, clobber(Side, Rows, Next), Nexts).

clobber(Side, Rows, clob(Other, Rows2)) :-
    other(Side, Other),
    on_board(Rows, From, Side),
    neighbour(From, To),
    on_board(Rows, To, Other),
    put(Rows, From, e, Rows1),
    put(Rows1, To, Side, Rows2).

on_board(Rows, X-Y, What) :-
    nth1(Y, Rows, Row),
    nth1(X, Row, What).

neighbour(X-Y, X1-Y) :- beside(X, X1).
neighbour(X-Y, X-Y1) :- beside(Y, Y1).

beside(A, B) :- B is A + 1.
beside(A, B) :- A > 1, B is A - 1.

put([Row|Rows], X-1, What, [New|Rows]) :-
    replace(Row, X, What, New).
put([Row|Rows], X-Y, What, [Row|News]) :-
    Y > 1,
    Y1 is Y - 1,
    put(Rows, X-Y1, What, News).

replace([_|Cells], 1, What, [What|Cells]).
replace([Cell|Cells], X, What, [Cell|News]) :-
    X > 1,
    X1 is X - 1,
    replace(Cells, X1, What, News).

no_moves(loss).
acyclic.

% How many captures each side has.
static_eval(clob(_, Rows), Value) :-
    aggregate_all(count, clobber(w, Rows, _), Ws),
    aggregate_all(count, clobber(b, Rows, _), Bs),
    Value is Ws - Bs.

other(w, b).
other(b, w).

show(clob(_, Rows), Lines) :- maplist(row_text, Rows, Lines).
row_text(Row, Text) :- atomic_list_concat(Row, ' ', Text).
