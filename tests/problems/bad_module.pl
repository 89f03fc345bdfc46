% gives: A0209
terminal(1).
:- module(game, [initial/1]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
