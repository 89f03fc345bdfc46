% Selectors of a record, the variable named after the result.
initial(s(max, pair(3, 4))).
max_to_move(s(max, _)).
move(s(P, H), M, s(Q, H1)) :- other(P, Q), step(H, M, H1).
step(pair(A, B), left(K), pair(X, B)) :- between(1, A, K), X is A - K.
step(pair(A, B), right(K), pair(A, X)) :- between(1, B, K), X is B - K.
first(pair(N, _), N).
second(pair(_, N), N).
bare(pair(N, M)) :- N =:= 0, M =:= 0.
high(pair(N, 0)) :- N > 1.
even_first(pair(N, _)) :- N mod 2 =:= 0.
static_eval(s(P, H), V) :- ( bare(H) -> loser(P, V) ; high(H) -> V = 0.5 ; even_first(H) -> V = 0.25 ; first(H, A), second(H, B), V is (A - B) / 100 ).
loser(max, -1).
loser(min, 1).
no_moves(loss).
other(max, min).
other(min, max).
acyclic.
