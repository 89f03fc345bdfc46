% Expressions as lists: [not, E], [and, A, B]; simplified by rules.
:- expect(holds(true_in([not, [not, [var, x]]], [x]))).
initial(pos(max, [not, [and, [var, x], [not, [var, y]]]], [])).
max_to_move(pos(max, _, _)).
move(pos(P, E, Vs), set(V), pos(O, E, [V|Vs])) :- other(P, O), member(V, [x, y]), \+ memberchk(V, Vs).
true_in([var, V], Vs) :- memberchk(V, Vs).
true_in([not, E], Vs) :- \+ true_in(E, Vs).
true_in([and, A, B], Vs) :- true_in(A, Vs), true_in(B, Vs).
outcome(pos(_, E, Vs), win(max)) :- true_in(E, Vs).
outcome(pos(_, E, Vs), win(min)) :- \+ true_in(E, Vs).
acyclic.
other(max, min).
other(min, max).
