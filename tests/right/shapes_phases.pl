% Right: positions of several kinds: bidding, play, and an end of two forms.
initial(bid(max, 0)).
max_to_move(bid(max, _)).
max_to_move(play(max, _, _)).
move(bid(max, N), bid(K), bid(min, M)) :- N < 6, between(1, 2, K), M is N + K.
move(bid(min, N), accept, play(max, N, 0)).
move(bid(min, N), bid(K), bid(max, M)) :- N < 6, between(1, 2, K), M is N + K.
move(play(P, N, S), take(K), Next) :- N > 0, between(1, 2, K), after(P, N, S, K, Next).
after(P, N, S, K, Next) :-
    M is N - K,
    (   M =:= 0
    ->  Next = over(P)
    ;   M < 0
    ->  Next = bust(P, S)
    ;   T is S + K,
        other(P, Q),
        Next = play(Q, M, T)
    ).
terminal(over(_)).
terminal(bust(_, _)).
terminal(bid(max, N)) :- N >= 6.
outcome(over(P), win(P)).
outcome(bust(P, _), win(Q)) :- other(P, Q).
outcome(bid(_, _), draw).
noisy(play(_, _, _), take(2)).
noisy(bid(_, _), accept).
acyclic.
other(max, min).
other(min, max).
