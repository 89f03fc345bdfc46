% gives: A0204, A0204
terminal(N) :- atom_length(N, 1).
atom_length(1, 1).
(A, B) :- A, B.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
