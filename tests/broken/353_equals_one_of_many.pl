% One of several numbers, as people say it.
% code: A0205
% at: 12:15 12:19
% help: member(K, [1, 2, 3])
% mend 12: |    member(K, [1, 2, 3]),
% Take one, two or three sticks; whoever takes the last one wins.
initial(s(max, 7)).

max_to_move(s(max, _)).

move(s(P, N), take(K), s(Q, M)) :-
    ( K = 1 ; 2 ; 3 ),
    K =< N,
    M is N - K,
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
