% gives: A0209, A0209
:- initialisation(main).
:- tabel(reach/2).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
