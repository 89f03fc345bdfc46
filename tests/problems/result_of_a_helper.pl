% gives: A0606
initial(at(max, 3)).
max_to_move(at(max, _)).
move(at(P, N), step, at(Q, M)) :- other(P, Q), N > 0, M is N - 1.
outcome(at(P, N), Result) :- result(P, N, Result).
result(max, 0, win(min)).
result(min, 0, tie).
other(max, min).
other(min, max).
acyclic.
