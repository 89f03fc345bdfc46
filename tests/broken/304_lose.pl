% A loser instead of a winner.
% code: A0606
% at: 21:1
% help: win(max)
% run: --playouts 50
% mend 21: |outcome(s(P, 0), win(W)) :-
% mend 21: |    other(P, W).
% Take one, two or three sticks; whoever takes the last one wins.
initial(s(max, 7)).

max_to_move(s(max, _)).

move(s(P, N), take(K), s(Q, M)) :-
    between(1, 3, K),
    K =< N,
    M is N - K,
    other(P, Q).

terminal(s(_, 0)).

outcome(s(P, 0), lose(P)).

static_eval(s(P, N), V) :-
    (   N mod 4 =:= 0
    ->  ( P = max -> V = -1 ; V = 1 )
    ;   V = 0
    ).

other(max, min).
other(min, max).

acyclic.
