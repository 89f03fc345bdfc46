% Right: the first clauses are for some positions, the last for all.
initial(s(max, [e, e, e])).
max_to_move(s(max, _)).
min_to_move(P) :- \+ max_to_move(P).
move(P, Label, Next) :- legal(P, Label), make(P, Label, Next).
legal(s(_, Cells), I) :- nth1(I, Cells, e).
make(s(Who, Cells), I, s(Whom, Next)) :- other(Who, Whom), put(I, Cells, Who, Next).
put(1, [_|T], V, [V|T]).
put(I, [H|T], V, [H|S]) :- I > 1, J is I - 1, put(J, T, V, S).
terminal(P) :- \+ legal(P, _).
static_eval(s(_, [max, _, max]), 1) :- !.
static_eval(s(_, [min, _, min]), -1) :- !.
static_eval(_, 0).
prune(_, _) :- fail.
prefer(s(_, _), 2, 5) :- !.
prefer(_, Label, W) :- W is -Label.
acyclic.
other(max, min).
other(min, max).
