% gives: nothing
% Helpers that the rules call may have such names, beside the game predicate or without it.
initial(0).
max_to_move(0).
moves(N, L) :- findall(M, move(N, M), L).
move(0, 1).
terminal(N) :- terminal(N, _).
terminal(1, over).
static_eval(N, V) :- outcome(N, up, V).
outcome(N, up, N).
