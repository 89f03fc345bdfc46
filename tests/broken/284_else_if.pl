% The words else if.
% code: A0101
% at: 25:9 25:14
% help: else
% mend 25: |    ;   A > 9
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
    ;   else if A > 9
    ->  V = 1
    ;   V = 0
    ).

worse(max, -1).
worse(min, 1).

value_range(-1, 1).
no_moves(loss).
acyclic.
