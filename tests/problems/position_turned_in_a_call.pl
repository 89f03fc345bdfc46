% gives: A0309
% One of the two calls of free/2 builds a position with its lists in the wrong order.
:- use_module(library(alphorn)).
initial(garden(green, [snail(green, 1), snail(brown, 5)], [])).
max_to_move(garden(green, _, _)).
move(garden(Turn, Snails, Slime), crawl(From, To), garden(Next, Moved, [From/1|Slime])) :-
    opponent(Turn, Next),
    select(snail(Turn, From), Snails, snail(Turn, To), Moved),
    next(From, To),
    free(To, garden(Turn, Snails, Slime)).
free(At, garden(_, Snails, Slime)) :-
    \+ member(snail(_, At), Snails),
    \+ member(At/_, Slime).
next(X, Y) :- Y is X + 1, Y < 6.
next(X, Y) :- Y is X - 1, Y > 0.
opponent(green, brown).
opponent(brown, green).
no_moves(loss).
static_eval(Garden, Value) :- steps(Garden, green, G), steps(Garden, brown, B), Value is G - B.
steps(garden(Turn, Snails, Slime), Colour, N) :-
    findall(To, ( member(snail(Colour, From), Snails), next(From, To), free(To, garden(Turn, Slime, Snails)) ), Tos),
    length(Tos, N).
