% The value before the term.
% code: A0603
% at: 16:5
% help: args_with(T, V, I)
% run: --playouts 50
% mend 16: |    args_with(B, e, I),
:- use_module(library(alphorn)).

% Fill the row: whoever makes the last mark wins.
initial(pos(x, b(e, e, e))).

max_to_move(pos(x, _)).

move(pos(P, B), I, pos(Q, C)) :-
    other(P, Q),
    args_with(e, B, I),
    put_arg(I, B, P, C).

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
