% gives: A0311, A0311
% Helpers make what no predicate takes: a win, and a position after a goal.
initial(at(max, 3)).
max_to_move(at(max, _)).
min_to_move(at(min, _)).
move(at(max, N), down, P) :- N > 1, M is N - 1, P = at(min, M, down).
move(at(max, N), rest, at(min, N)) :- N > 1.
move(at(min, N), down, P) :- M is N - 1, ended(M, P).
ended(1, win(max)).
ended(N, at(max, N)) :- N > 1.
terminal(at(_, 1)).
outcome(at(max, 1), win(min)).
outcome(at(min, 1), win(max)).
