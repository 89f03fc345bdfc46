% gives: A0507
% An expectation closes the bracket of the position after the value.
:- expect(value(heap(max, 1) = win(max))).
initial(heap(max, 3)).
max_to_move(heap(max, _)).
move(heap(Who, N), take(K), heap(Other, M)) :- other(Who, Other), member(K, [1, 2]), K =< N, M is N - K.
no_moves(loss).
acyclic.
other(max, min).
other(min, max).
