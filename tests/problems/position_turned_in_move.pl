% gives: A0311
% Two lists of the next position are in the wrong order; only their elements tell them apart.
:- use_module(library(alphorn)).
initial(garden(green, [snail(green, 1), snail(brown, 5)], [])).
max_to_move(garden(green, _, _)).
move(garden(Turn, Snails, Slime), crawl(From, To), garden(Next, [From/1|Slime], Moved)) :-
    opponent(Turn, Next),
    select(snail(Turn, From), Snails, snail(Turn, To), Moved),
    next(From, To),
    \+ member(To/_, Slime),
    \+ member(snail(_, To), Snails).
next(X, Y) :- Y is X + 1, Y < 6.
next(X, Y) :- Y is X - 1, Y > 0.
opponent(green, brown).
opponent(brown, green).
no_moves(loss).
static_eval(Garden, Value) :- place(Garden, green, G), place(Garden, brown, B), Value is G - B.
place(garden(_, Snails, _), Colour, At) :- member(snail(Colour, At), Snails), !.
