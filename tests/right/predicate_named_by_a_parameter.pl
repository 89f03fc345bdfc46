% The parameter names the predicate that evaluates.
:- use_module(library(alphorn)).
:- param(style, bold, [bold, shy], "how the evaluation counts").
initial(p(max, 5)).
max_to_move(p(max, _)).
move(p(P, N), take(K), p(Q, M)) :-
    member(K, [1, 2]),
    K =< N,
    M is N - K,
    other(P, Q).
other(max, min).
other(min, max).
acyclic.
static_eval(Pos, Value) :-
    param(style, How),
    call(How, Pos, Value).
bold(p(_, N), N).
shy(p(_, N), Value) :- Value is -N.
