% A position of another shape in terminal/1.
% code: A0309 A0311 A0508
% at: 18:1 18:10
% help: s(_, _)
% help: s/2
% mend 18: |terminal(s(_, 0)).
% Take one, two or three sticks; whoever takes the last one wins.
initial(s(max, 7)).

max_to_move(s(max, _)).

move(s(P, N), take(K), s(Q, M)) :-
    between(1, 3, K),
    K =< N,
    M is N - K,
    other(P, Q).

terminal(s(0)).

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
