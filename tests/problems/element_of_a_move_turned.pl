% gives: A0311
% replace_bee/3 exchanges the flower and the drops of the bee that it makes.
:- use_module(library(alphorn)).
initial(st(max, [bee(max, a, 0), bee(min, c, 0)])).
path(a, b).
path(b, d).
path(c, d).
path(d, e).
max_to_move(st(max, _)).
move(st(Who, Bees), crawl(From, To), st(Other, NewBees)) :-
    opponent(Who, Other),
    member(bee(Who, From, Had), Bees),
    path(From, To),
    Has is Had + 1,
    replace_bee(Bees, bee(Who, To, Has), NewBees).
replace_bee([bee(Who, _, _)|Bees], bee(Who, At, Has), [bee(Who, Has, At)|Bees]).
replace_bee([Bee|Bees], New, [Bee|NewBees]) :-
    Bee = bee(Someone, _, _),
    New = bee(Who, _, _),
    Someone \== Who,
    replace_bee(Bees, New, NewBees).
opponent(max, min).
opponent(min, max).
no_moves(loss).
static_eval(st(_, Bees), Value) :-
    findall(F, (member(bee(_, At, _), Bees), path(At, F)), Fs),
    length(Fs, Value).
