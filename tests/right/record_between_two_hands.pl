% A position is a list of two hands of three cards and three atoms between them.
:- use_module(library(alphorn)).
:- expect(value = 0).
initial([[h1, h2, h3], max, hearts, none, [c1, c2, c3]]).
max_to_move([_, max|_]).
move([[C|Cs], max, T, _, Other], play(C), [Cs, min, T, C, Other]).
move([Own, min, T, _, [C|Cs]], play(C), [Own, max, T, C, Cs]).
terminal([[], _, _, _, []]).
static_eval(_, 0).
acyclic.
