% An expression as the answer in a head.
% code: A0307
% at: 22:22
% help: is N mod 4
% mend 22: |static_eval(s(_, N), V) :- V is N mod 4.
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

static_eval(s(_, N), N mod 4).

other(max, min).
other(min, max).

acyclic.
