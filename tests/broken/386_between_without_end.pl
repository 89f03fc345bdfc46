% between/3 without a last number, and a goal that fails for all greater numbers.
% code: A0601
% at: 10:5
% help: between(1, inf, K) has answers without end
% run: --playouts 5
% mend 10: |    between(1, N, K),
initial(pile(max, 5)).
max_to_move(pile(max, _)).
move(pile(P, N), take(K), pile(Q, M)) :-
    between(1, inf, K),
    K =< N,
    K < 4,
    M is N - K,
    other(P, Q).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
