% Tic-tac-toe on a board of rows; replace/4 changes an element of a list.
initial(b(x, [[e,e,e],[e,e,e],[e,e,e]])).
max_to_move(b(x, _)).
move(b(P, Rows), R/C, b(Q, Rows1)) :-
    other(P, Q),
    nth1(R, Rows, Row),
    nth1(C, Row, e),
    replace(C, Row, P, Row1),
    replace(R, Rows, Row1, Rows1).
replace(1, [_|Xs], X, [X|Xs]).
replace(N, [Y|Xs], X, [Y|Zs]) :- N > 1, M is N - 1, replace(M, Xs, X, Zs).
line(Rows, P) :- member([P,P,P], Rows).
line([[P,_,_],[P,_,_],[P,_,_]], P).
line([[_,P,_],[_,P,_],[_,P,_]], P).
line([[_,_,P],[_,_,P],[_,_,P]], P).
line([[P,_,_],[_,P,_],[_,_,P]], P).
line([[_,_,P],[_,P,_],[P,_,_]], P).
won(Rows, P) :- line(Rows, P), P \== e.
terminal(b(_, Rows)) :- won(Rows, _).
outcome(b(_, Rows), R) :- won(Rows, P), !, winner(P, R).
outcome(_, draw).
winner(x, win(max)).
winner(o, win(min)).
no_moves(draw).
other(x, o).
other(o, x).
acyclic.
show(b(_, Rows), Lines) :- maplist(row_line, Rows, Lines).
row_line(Row, Line) :- atomic_list_concat(Row, ' ', Line).
