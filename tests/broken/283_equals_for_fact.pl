% A setting with an equals sign.
% code: A0204
% at: 32:1 32:10
% help: no_moves(loss)
% mend 32: |no_moves(loss).
% Two piles: take one from either; who cannot move loses.
initial(piles(max, 2, 3)).

max_to_move(piles(max, _, _)).

moves(piles(P, A, B), Next) :-
    opponent(P, Q),
    findall(N, after(Q, A, B, N), Next).

after(Q, A, B, piles(Q, C, B)) :- A > 0, C is A - 1.
after(Q, A, B, piles(Q, A, D)) :- B > 0, D is B - 1.

opponent(max, min).
opponent(min, max).

static_eval(piles(P, A, B), V) :-
    Sum is A + B,
    (   Sum mod 2 =:= 0
    ->  worse(P, V)
    ;   V = 0
    ).

worse(max, -1).
worse(min, 1).

value_range(-1, 1).
no_moves = loss.
acyclic.
