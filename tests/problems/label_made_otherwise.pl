% gives: A0312
% One clause makes another label than all that take labels: that clause is marked.
initial(heap(max, 4)).
max_to_move(heap(max, _)).
move(heap(P, N), take(1), heap(Q, M)) :-
    N > 0,
    M is N - 1,
    other(P, Q).
move(heap(P, N), halve-M, heap(Q, M)) :-
    N > 1,
    M is N // 2,
    other(P, Q).
no_moves(loss).
static_eval(_, 0).
prefer(_, halve(_), 2).
noisy(heap(_, _), halve(_)).
shown_move(_, take(N), Text) :-
    atom_concat(take, N, Text).
shown_move(_, halve(N), Text) :-
    atom_concat(halve, N, Text).
:- expect(best(heap(max, 2), 2) = halve(1)).
acyclic.
other(max, min).
other(min, max).
