% Right: a chain of equalities, if-then-else and findall between a move and its position, with images.
initial(S) :- A = e, S = t(w, row(A, A, A)).
max_to_move(t(w, _)).
move(P, Label, Next) :- findall(L-N, one(P, L, N), Pairs), member(Label-Next, Pairs).
one(t(w, row(e, B, C)), m(left, x), t(b, row(x, B, C))).
one(t(w, row(A, B, e)), m(right, x), t(b, row(A, B, x))).
one(t(b, R), Label, N) :- R = row(A, B, C), ( B == e -> Label = m(middle, o), M = o ; Label = idle, M = B ),
    Row = row(A, M, C), N = t(w, Row).
symmetry(t(S, row(A, B, C)), t(S, row(C, B, A))).
terminal(t(_, row(x, _, x))).
terminal(t(w, R)) :- R = row(_, o, _).
outcome(t(_, row(x, _, x)), win(max)) :- !.
outcome(t(_, row(_, _, _)), draw).
noisy(_, m(_, x)).
noisy(_, idle).
shown_move(_, m(P, V), T) :- atomic_list_concat([P, V], T).
shown_move(_, idle, idle).
