% The term before the number.
% code: A0603
% at: 18:5
% help: put_arg(I, T, V, New)
% help: put_arg(+I, +Term, +Value, -New)
% run: --playouts 50
% mend 18: |    put_arg(I, B, P, C).
:- use_module(library(alphorn)).

% Fill the row: whoever makes the last mark wins.
initial(pos(x, b(e, e, e))).

max_to_move(pos(x, _)).

move(pos(P, B), I, pos(Q, C)) :-
    other(P, Q),
    arg(I, B, e),
    put_arg(B, I, P, C).

other(x, o).
other(o, x).

terminal(pos(_, B)) :- \+ arg(_, B, e).

static_eval(pos(_, B), V) :-
    men(B, x, X),
    men(B, o, O),
    (   X > O
    ->  V is X - O
    ;   V = 0
    ).

men(B, P, N) :-
    findall(I, arg(I, B, P), Is),
    length(Is, N).

acyclic.
