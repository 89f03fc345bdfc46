% A neck between the name and the position.
% code: A0501 A0508 A0201
% at: 7:1 7:12
% help: initial(
% mend 7: |initial(s(max, 7)).
% Take one, two or three sticks; whoever takes the last one wins.
initial :- s(max, 7).

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
    ;   V = 0
    ).

other(max, min).
other(min, max).

acyclic.
