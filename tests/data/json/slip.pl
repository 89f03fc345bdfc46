% Two errors and a warning.
initial(5).
moves(N, L) :- findal(M, (between(1, 3, K), M is N - K, M >= 0), L).
max_to_move(N) :- Once = 1, N mod 2 =:= 1.
static_eval(_, 0) :- nobody.
