% A move to a square and a move off the board have labels of one name, and only some are shown by their parts.
initial(p(max, 1-1, 3)).
max_to_move(p(max, _, _)).
move(p(S, R-C, N), go(R1-C), p(T, R1-C, M)) :- N > 0, R1 is R + 1, M is N - 1, other(S, T).
move(p(S, R-C, N), go(off), p(T, R-C, 0)) :- N > 1, other(S, T).
shown_move(_, go(R-C), Text) :- atomic_list_concat([R, C], Text).
shown_move(_, go(off), off).
% An exchange answers with another operator in all clauses, and a sum takes pairs of two kinds.
other(max, min).
other(min, max).
turned(A-B, B/A) :- A > B.
turned(A-B, A/B) :- A =< B.
twice(A-B, A-B, same).
twice(A-B, C/D, other) :- turned(A-B, C/D).
terminal(p(_, _, 0)).
static_eval(p(_, R-C, _), V) :- turned(R-C, A/B), twice(R-C, _, Same), ( Same == same -> V is A - B ; V = 0 ).
acyclic.
