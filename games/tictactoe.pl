% Tic-tac-toe: x and o take cells in turn; three in a row, column or diagonal win.
% Source: the classical pencil game, in the style of the Prolog textbooks.

:- use_module(library(alphorn)).

:- expect(perft(1) = 9).
:- expect(perft(4) = 3024).
:- expect(perft(5) = 15120).
:- expect(value = 0).
:- expect(value(pos(x, [x,o,e, e,x,e, e,e,o])) = 999997).
:- expect(best(pos(o, [x,x,e, e,o,e, e,e,e]), 2) = pos(x, [x,x,o, e,o,e, e,e,e])).
:- expect(holds(terminal(pos(o, [x,x,x, o,o,e, e,e,e])))).
:- expect(fails(terminal(pos(x, [x,x,o, o,o,x, e,e,e])))).

% pos(Player to move, the nine cells row by row): x (MAX) begins, e is empty.
initial(pos(x, [e,e,e, e,e,e, e,e,e])).

max_to_move(pos(x, _)).

moves(pos(Player, Cells), Successors) :-
    other(Player, Other),
    findall(pos(Other, Next), select(e, Cells, Player, Next), Successors).

terminal(Pos) :-
    outcome(Pos, _).

outcome(pos(_, Cells), win(max)) :- line(x, Cells), !.
outcome(pos(_, Cells), win(min)) :- line(o, Cells), !.
outcome(pos(_, Cells), draw) :- \+ memberchk(e, Cells).

static_eval(pos(_, Cells), 1) :- line(x, Cells), !.
static_eval(pos(_, Cells), -1) :- line(o, Cells), !.
static_eval(_, 0).

value_range(-1, 1).
acyclic.

other(x, o).
other(o, x).

line(P, [P,P,P, _,_,_, _,_,_]).
line(P, [_,_,_, P,P,P, _,_,_]).
line(P, [_,_,_, _,_,_, P,P,P]).
line(P, [P,_,_, P,_,_, P,_,_]).
line(P, [_,P,_, _,P,_, _,P,_]).
line(P, [_,_,P, _,_,P, _,_,P]).
line(P, [P,_,_, _,P,_, _,_,P]).
line(P, [_,_,P, _,P,_, P,_,_]).

show(pos(_, [A,B,C, D,E,F, G,H,I]), Lines) :-
    maplist(show_row, [[A,B,C], [D,E,F], [G,H,I]], Lines).

show_row(Cells, Line) :-
    maplist(mark, Cells, Marks),
    atomic_list_concat(Marks, ' ', Line).

mark(x, x).
mark(o, o).
mark(e, '.').
