% win/lose idiom: recursion through negation only; and recursion through findall and maplist
edge(a, b). edge(b, c).
win(P) :- edge(P, Q), \+ win(Q).
tree(P, t(P, Ts)) :- findall(T, (edge(P, Q), tree(Q, T)), Ts).
depth(t(_, Ts), D) :- maplist(depth, Ts, Ds), max0(Ds, M), D is M + 1.
max0([], 0).
max0([X|Xs], M) :- max0(Xs, N), M is max(X, N).
value(P, V) :- findall(W, (edge(P, Q), value(Q, W)), Ws), sum_list(Ws, S), V is 1 - S.
flat(T, L) :- T = t(P, Ts), findall(M, (member(T1, Ts), flat(T1, M)), Ls), append([[P]|Ls], L).
lost(P) :- forall(edge(P, Q), \+ lost(Q)).
leafs(t(P, []), [P]) :- !.
leafs(t(_, Ts), L) :- maplist(leafs, Ts, Ls), append(Ls, L).
