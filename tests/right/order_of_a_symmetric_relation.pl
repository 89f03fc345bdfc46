% The same with a record for an edge
initial(g(max, [edge(a,b), edge(b,c), edge(c,d)], [])).
max_to_move(g(max, _, _)).
move(g(P, Es, Taken), take(V), g(Q, Es, [V|Taken])) :-
    other(P, Q),
    member(V, [a,b,c,d]),
    \+ member(V, Taken),
    \+ ( member(T, Taken), linked(V, T, Es) ).
linked(A, B, Es) :- memberchk(edge(A, B), Es).
linked(A, B, Es) :- memberchk(edge(B, A), Es).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
