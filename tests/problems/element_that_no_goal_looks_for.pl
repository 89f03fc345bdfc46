% gives: A0311
% The only rule that puts something into the list of slime puts a snail there, not a square.
:- use_module(library(alphorn)).
:- expect(value(garden(brown, [snail(brown, 5/1), snail(green, 4/1)],
                       [1/1, 2/1]), 1) = 0).
initial(garden(green, [snail(green, 1/1), snail(brown, 5/1)], [])).
max_to_move(garden(green, _, _)).
move(garden(Turn, Snails, Slime), crawl(From, To), garden(Next, Moved, [snail(Turn, From)|Slime])) :-
    opponent(Turn, Next),
    select(snail(Turn, From), Snails, snail(Turn, To), Moved),
    next(From, To),
    free(To, Snails, Slime).
free(Square, Snails, Slime) :-
    \+ member(snail(_, Square), Snails),
    \+ member(Square, Slime).
next(X/Y, X2/Y) :- X2 is X + 1, X2 < 6.
next(X/Y, X2/Y) :- X2 is X - 1, X2 > 0.
opponent(green, brown).
opponent(brown, green).
no_moves(loss).
static_eval(_, 0).
show(garden(_, Snails, Slime), Lines) :-
    findall(Line, ( member(X, [1, 2, 3, 4, 5]), sign(X/1, Snails, Slime, Line) ), Lines).
sign(Square, Snails, _, s) :- member(snail(_, Square), Snails), !.
sign(Square, _, Slime, x) :- member(Square, Slime), !.
sign(_, _, _, o).
