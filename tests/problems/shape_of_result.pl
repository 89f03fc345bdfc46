% gives: A0311
% One move forgets the count: no predicate takes what it makes.
initial(n(max, 7, 0)).
max_to_move(n(max, _, _)).
min_to_move(n(min, _, _)).
move(n(max, H, C), take(K), n(min, G, D)) :- between(1, 3, K), G is H - K, G >= 0, D is C + 1.
move(n(min, H, _), take(K), n(max, G)) :- between(1, 3, K), G is H - K, G >= 0.
terminal(n(_, 0, _)).
outcome(n(max, 0, _), win(min)).
outcome(n(min, 0, _), win(max)).
