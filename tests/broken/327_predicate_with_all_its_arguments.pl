% A predicate in a sum, as if its arguments were all it takes.
% code: A0308
% at: 28:14
% help: men(B, o, Number)
% mend 28: |    men(B, o, O),
% mend 28: |    V is X - O.
% mend 30: |men(B, P, N) :-
% mend 32: |    length(Is, N).
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
    V is X - men(B, o).

men(B, P) :-
    findall(I, arg(I, B, P), Is),
    length(Is, _).

acyclic.
