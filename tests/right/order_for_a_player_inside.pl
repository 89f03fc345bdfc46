% Two heaps, own and other; each clause names its player inside the position.
initial(k(max, score(0, 0), 5)).
max_to_move(k(max, _, _)).
move(k(max, score(A, B), N), take(T), k(min, score(C, B), M)) :- between(1, 2, T), T =< N, M is N - T, C is A + T.
move(k(min, score(A, B), N), take(T), k(max, score(A, C), M)) :- between(1, 2, T), T =< N, M is N - T, C is B + 2 * T.
balance(k(max, score(Mine, Yours), _), V) :- V is Mine - Yours.
balance(k(min, score(Yours, Mine), _), V) :- V is Yours - Mine.
lead(k(max, score(Mine, Yours), _)) :- Mine > Yours.
static_eval(Pos, V) :- ( lead(Pos) -> V = 1 ; balance(Pos, V) ).
no_moves(eval).
acyclic.
