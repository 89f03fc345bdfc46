% A quote is not closed, and the library is not seen.
% code: A0102
% at: 7:23
% help: add a '
% mend 7: |:- use_module(library(board)).
:- use_module(library(alphorn)).
:- use_module(library('board)).

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
    ;   V = 0
    ).

men(B, P, N) :-
    findall(I, arg(I, B, P), Is),
    length(Is, N).

acyclic.
