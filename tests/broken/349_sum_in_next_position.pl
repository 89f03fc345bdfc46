% An expression in the position of a head.
% code: A0307
% at: 13:29
% help: is N - K
% mend 13: |move(s(P, N), take(K), s(Q, M)) :-
% mend 15: |    K =< N,
% mend 15: |    M is N - K,
% Take one, two or three sticks; whoever takes the last one wins.
initial(s(max, 7)).

max_to_move(s(max, _)).

move(s(P, N), take(K), s(Q, N - K)) :-
    between(1, 3, K),
    K =< N,
    other(P, Q).

terminal(s(_, 0)).

outcome(s(P, 0), win(W)) :-
    other(P, W).

static_eval(s(P, N), V) :-
    (   N mod 4 =:= 0
    ->  ( P = max -> V = -1 ; V = 1 )
    ;   V = 0
    ).

other(max, min).
other(min, max).

acyclic.
