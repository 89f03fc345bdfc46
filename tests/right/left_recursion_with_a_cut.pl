% Left recursion that ends: a cut follows the call, or the caller stops after the first answer.
initial(heap(max, 5)).
max_to_move(heap(max, _)).
move(heap(P, N), take(K), heap(Q, M)) :-
    other(P, Q),
    step(K),
    K =< N,
    M is N - K.
terminal(heap(_, 0)).
outcome(heap(P, 0), win(Q)) :- other(P, Q).
other(max, min).
other(min, max).
acyclic.

% The numbers 1 and 2.
step(1).
step(N) :- step(M), N is M + 1, !.
