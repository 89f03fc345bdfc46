% A predicate as a function in a head.
% code: A0308
% at: 20:22
% help: other(P, 
% mend 20: |outcome(s(P, 0), win(W)) :-
% mend 20: |    other(P, W).
% Take one, two or three sticks; whoever takes the last one wins.
initial(s(max, 7)).

max_to_move(s(max, _)).

move(s(P, N), take(K), s(Q, M)) :-
    between(1, 3, K),
    K =< N,
    M is N - K,
    other(P, Q).

terminal(s(_, 0)).

outcome(s(P, 0), win(other(P))).

static_eval(s(P, N), V) :-
    (   N mod 4 =:= 0
    ->  ( P = max -> V = -1 ; V = 1 )
    ;   V = 0
    ).

other(max, min).
other(min, max).

acyclic.
