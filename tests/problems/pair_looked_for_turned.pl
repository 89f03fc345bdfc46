% gives: A0309
% member/2 looks for Drops-Flower. The help names the types, as both forms are _-_.
:- use_module(library(alphorn)).
initial(st(max, a, [b-1, c-2, d-1, e-3])).
path(a, b).
path(a, c).
path(b, d).
path(c, e).
max_to_move(st(max, _, _)).
move(st(Who, From, Open), crawl(From, To), st(Other, To, Left)) :-
    opponent(Who, Other),
    select(To-_, Open, Left),
    path(From, To).
opponent(max, min).
opponent(min, max).
no_moves(loss).
static_eval(st(_, At, Open), Value) :-
    findall(D, (path(At, F), member(D-F, Open)), Ds),
    sum_list(Ds, Value).
