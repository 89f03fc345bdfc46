% gives: A0311
% One of several clauses makes the next position with its arguments exchanged; no clause takes it apart in its head.
initial(heap(max, [1, 2, 3])).
max_to_move(heap(max, _)).
move(heap(P, Stones), one(N), heap(Q, Left)) :-
    other(P, Q),
    select(N, Stones, Left).
move(heap(P, Stones), two(N, M), heap(Left, Q)) :-
    other(P, Q),
    select(N, Stones, Rest),
    select(M, Rest, Left),
    M is N + 1.
no_moves(loss).
static_eval(heap(_, Stones), Value) :-
    length(Stones, Value).
acyclic.
other(max, min).
other(min, max).
