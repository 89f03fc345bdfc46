% A merge left its marks.
% code: A0101
% at: 20:1 22:1 24:1
% help: keep one
% mend 20:
% mend 22:
% mend 23:
% mend 24:
% Take one, two or three sticks; whoever takes the last one wins.
initial(s(max, 7)).

max_to_move(s(max, _)).

move(s(P, N), take(K), s(Q, M)) :-
    between(1, 3, K),
    K =< N,
    M is N - K,
    other(P, Q).

<<<<<<< HEAD
terminal(s(_, 0)).
=======
terminal(s(_, 1)).
>>>>>>> mine

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
