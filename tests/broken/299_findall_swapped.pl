% findall/3 with goal and list exchanged.
% code: A0309 A0603
% at: 21:5 21:13 21:16
% help: findall(X, other(P, X), L)
% mend 21: |    other(P, W).
% mend 22:
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
    findall(X, L, other(P, X)),
    L = [W|_].

static_eval(s(P, N), V) :-
    (   N mod 4 =:= 0
    ->  ( P = max -> V = -1 ; V = 1 )
    ;   V = 0
    ).

other(max, min).
other(min, max).

acyclic.
