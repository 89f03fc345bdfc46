% gives: A0311
% initial/1 puts Drops-Flower into its list, and all other places have Flower-Drops.
:- use_module(library(alphorn)).
:- expect(holds(move(st(max, a, [b-1]), crawl(a, b), _))).
initial(st(max, a, Open)) :- findall(D-F, (honey(F, D), F \== a), Open).
honey(a, 0).
honey(b, 1).
honey(c, 2).
path(a, b).
path(a, c).
path(b, c).
max_to_move(st(max, _, _)).
move(st(Who, From, Open), crawl(From, To), st(Other, To, Left)) :-
    opponent(Who, Other),
    select(To-_, Open, Left),
    path(From, To).
opponent(max, min).
opponent(min, max).
no_moves(loss).
static_eval(st(_, At, Open), Value) :-
    findall(D, (path(At, F), member(F-D, Open)), Ds),
    sum_list(Ds, Value).
