% gives: A0309
% The only call of way/4 has To and Had in another order than the clauses of way/4.
:- use_module(library(alphorn)).
:- expect(holds(move(st(max, a, 0), crawl(a, b), _))).
initial(st(max, a, 0)).
path(a, b).
path(b, d).
path(c, d).
path(d, e).
max_to_move(st(max, _, _)).
move(st(Who, From, Had), Label, st(Other, To, Has)) :-
    opponent(Who, Other),
    path(_, To),
    way(From, Had, To, Label),
    Has is Had + 1.
way(From, To, _, crawl(From, To)) :- path(From, To).
way(From, To, Had, fly(From, To)) :-
    Had >= 2,
    path(From, Middle),
    path(Middle, To).
opponent(max, min).
opponent(min, max).
no_moves(loss).
static_eval(_, 0).
prefer(_, crawl(_, To), Weight) :- findall(F, path(To, F), Fs), length(Fs, Weight).
