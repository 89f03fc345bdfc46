% gives: A0311, A0311, A0311
% Expectations claim of positions that there are none of; and one of them hid the clause of terminal/1.
:- expect(value(heap(max, 0)) = win(min)).
:- expect(perft(heap(3), 2) = 3).
:- expect(value(done(max), 2) = win(max)).
:- expect(holds((initial(P), max_to_move(P)))).
initial(heap(max, 5)).
max_to_move(heap(max, _)).
min_to_move(heap(min, _)).
move(heap(max, N), take(K), heap(min, M)) :- between(1, 3, K), K =< N, M is N - K.
move(heap(min, N), take(K), heap(max, M)) :- between(1, 3, K), K =< N, M is N - K.
terminal(heap(_, 0)).
terminal(done(_)).
outcome(heap(max, 0), win(min)).
outcome(heap(min, 0), win(max)).
