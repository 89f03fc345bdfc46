% row of squares
:- use_module(library(alphorn)).
initial(board(x, [e,e,e])).
max_to_move(board(x, _)).
move(P, N, Q) :- put(P, N, Q).
put(board(P, L), N, board(O, M)) :- nth1(N, L, e), other(P, O), set_nth(L, N, P, M).
set_nth([_|T], 1, X, [X|T]) :- !.
set_nth([H|T], N, X, [H|R]) :- M is N-1, set_nth(T, M, X, R).
other(x, o). other(o, x).
terminal(P) :- P = board(_, L), \+ memberchk(e, L).
static_eval(B, V) :- B = board(_, L), ( L = [x,x,_] -> V = 1 ; L == [o,o,o] -> V = -1 ; V = 0 ).
symmetry(P, board(T, R)) :- P = board(T, L), reverse(L, R).
read_position(Text, board(x, L)) :- atom_chars(Text, L).
sample(start, board(x, [e,e,e])).
