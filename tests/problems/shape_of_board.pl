% gives: A0311, A0311
% The board is a list inside of board/1 everywhere but in two clauses.
initial(game(max, board([0,0,0]))).
max_to_move(game(max, _)).
moves(game(S, board(L)), Nexts) :- other(S, T), findall(game(T, board(M)), put(L, M), Nexts).
put([0|T], [1|T]).
put([H|T], [H|S]) :- put(T, S).
terminal(game(_, board(1, 1, 1))).
outcome(game(max, board([1,1,1])), win(min)).
outcome(game(min, board(row(_, _, _))), win(max)).
acyclic.
other(max, min).
other(min, max).
