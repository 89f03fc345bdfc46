% gives: A0311
% row/3 hands X-Y to sign/3, all of whose goals take a square X/Y.
:- use_module(library(alphorn)).
initial(garden(green, [snail(green, 1/1), snail(brown, 5/1)])).
max_to_move(garden(green, _)).
move(garden(Turn, Snails), crawl(From, To), garden(Next, Moved)) :-
    opponent(Turn, Next),
    select(snail(Turn, From), Snails, snail(Turn, To), Moved),
    next(From, To),
    \+ member(snail(_, To), Snails).
next(X/Y, X2/Y) :- X2 is X + 1, X2 < 6.
opponent(green, brown).
opponent(brown, green).
no_moves(loss).
show(garden(_, Snails), [Line]) :- row(1, Snails, Line).
row(Y, Snails, Line) :-
    findall(C, ( between(1, 5, X), sign(X-Y, Snails, C) ), Cs),
    atomic_list_concat(Cs, ' ', Line).
sign(Square, Snails, g) :- member(snail(green, Square), Snails), !.
sign(Square, Snails, b) :- member(snail(brown, Square), Snails), !.
sign(_, _, '.').
static_eval(_, 0).
