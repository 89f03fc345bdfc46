% Two predicates that call each other and miss the end for odd numbers.
% code: A0601
% at: 19:5
% help: even/1, which calls odd/1 again
% run: --playouts 5
% mend 17: |odd(N) :-
% mend 17: |    N > 0,
initial(pile(max, 5)).
max_to_move(pile(max, _)).
move(pile(P, N), take(K), pile(Q, M)) :-
    member(K, [1, 2]),
    K =< N,
    ( even(N) -> M is N - K ; M is N - 1 ),
    other(P, Q).
even(0).
even(N) :- M is N - 1, odd(M).
odd(N) :-
    M is N - 1,
    even(M).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
