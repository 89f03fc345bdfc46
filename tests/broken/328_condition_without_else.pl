% The case that the condition fails is missing.
% code: A0606
% at: 25:1 28:5
% help: `;`
% run: --playouts 50
% mend 29: |    ->  V is X - O
% mend 29: |    ;   V = 0
:- use_module(library(alphorn)).

% Fill the row: whoever makes the last mark wins.
initial(pos(x, b(e, e, e))).

max_to_move(pos(x, _)).

move(pos(P, B), I, pos(Q, C)) :-
    other(P, Q),
    arg(I, B, e),
    put_arg(I, B, P, C).

other(x, o).
other(o, x).

terminal(pos(_, B)) :- \+ arg(_, B, e).

static_eval(pos(_, B), V) :-
    men(B, x, X),
    men(B, o, O),
    (   X > O
    ->  V is X - O
    ).

men(B, P, N) :-
    findall(I, arg(I, B, P), Is),
    length(Is, N).

acyclic.
