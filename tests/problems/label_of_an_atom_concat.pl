% gives: A0312
:- use_module(library(alphorn)).
:- expect(best(pos(max, 3), 3) = a-2).
initial(pos(max, 5)).
max_to_move(pos(max, _)).
side(max, min).
side(min, max).
move(pos(P, N), Label, pos(O, M)) :- side(P, O), between(1, 2, K), K =< N, M is N - K, atom_concat(a, K, Label).
outcome(pos(P, 0), win(W)) :- side(P, W).
