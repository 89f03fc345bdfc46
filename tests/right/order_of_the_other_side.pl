% Hands as hand(Mine, Yours), seen by the player to move: exchanged after each move.
initial(h(max, hand([1,2], [1,3]))).
max_to_move(h(max, _)).
move(h(P, H), C, h(Q, After)) :- other(P, Q), plays(H, C, H1), turned(H1, After).
plays(hand(Mine, Yours), C, hand(Rest, Yours)) :- select(C, Mine, Rest).
turned(H, hand(Yours, Mine)) :- parts(H, Mine, Yours).
parts(hand(Mine, Yours), Mine, Yours).
left(hand(Mine, Yours), N) :- length(Mine, A), length(Yours, B), N is A - B.
static_eval(h(P, H), V) :- left(H, N), ( P = max -> V = N ; V is -N ).
terminal(h(_, hand([], _))).
other(max, min).
other(min, max).
acyclic.
