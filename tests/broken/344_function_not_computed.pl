% A function of arithmetic after an equals sign.
% code: A0307
% at: 25:9 25:13
% help: V is abs(N - 7)
% mend 25: |    ;   V is abs(N - 7)
% Take one, two or three sticks; whoever takes the last one wins.
initial(s(max, 7)).

max_to_move(s(max, _)).

move(s(P, N), take(K), s(Q, M)) :-
    between(1, 3, K),
    K =< N,
    M is N - K,
    other(P, Q).

terminal(s(_, 0)).

outcome(s(P, 0), win(W)) :-
    other(P, W).

static_eval(s(P, N), V) :-
    (   N mod 4 =:= 0
    ->  ( P = max -> V = -1 ; V = 1 )
    ;   V = abs(N - 7)
    ).

other(max, min).
other(min, max).

acyclic.
