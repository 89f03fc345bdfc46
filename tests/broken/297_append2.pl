% A list is appended to nothing.
% code: A0606
% at: 20:1 21:5
% help: alphorn whynot
% run: --playouts 50
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

outcome(s(P, 0), win(W)) :-
    append([P], W).

static_eval(s(P, N), V) :-
    (   N mod 4 =:= 0
    ->  ( P = max -> V = -1 ; V = 1 )
    ;   V = 0
    ).

other(max, min).
other(min, max).

acyclic.
