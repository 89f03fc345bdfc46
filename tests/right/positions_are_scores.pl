% positions are scores
initial(score(0)).
max_to_move(_).
move(P, up, score(N)) :- P = score(M), M < 5, N is M + 1.
outcome(P, score(N)) :- P = score(N), N >= 5.
