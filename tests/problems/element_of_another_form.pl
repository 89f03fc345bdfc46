% gives: A0311
% A square is put into the list of snails, and all rules look for snails.
:- use_module(library(alphorn)).
initial(garden(green, [snail(green, 1/1), snail(brown, 5/1)])).
max_to_move(garden(green, _)).
move(garden(Turn, Snails), crawl(From, To), garden(Next, Moved)) :-
    opponent(Turn, Next),
    member(snail(Turn, From), Snails),
    next(From, To),
    \+ member(snail(_, To), Snails),
    replace(snail(Turn, From), To, Snails, Moved).
next(X/Y, X2/Y) :- X2 is X + 1, X2 < 6.
replace(Old, New, [Old|Rest], [New|Rest]) :- !.
replace(Old, New, [First|Rest], [First|Rest2]) :- replace(Old, New, Rest, Rest2).
opponent(green, brown).
opponent(brown, green).
no_moves(loss).
static_eval(garden(_, Snails), N) :- findall(X, member(snail(green, X/_), Snails), Xs), length(Xs, N).
prefer(_, crawl(From, To), 1) :- next(From, To).
