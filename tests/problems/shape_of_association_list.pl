% gives: A0309, A0309
% What is asked of an association list is no key of it; a helper gets its arguments in another order.
:- use_module(library(assoc)).
initial(board(max, Cells)) :-
    findall(cell(N)-free, between(1, 3, N), Pairs),
    list_to_assoc(Pairs, Cells).
max_to_move(board(max, _)).
move(board(P, Cells), put(N), board(Q, Next)) :-
    gen_assoc(cell(N), Cells, free),
    put_assoc(cell(N), Cells, P, Next),
    other(P, Q).
no_moves(draw).
static_eval(board(_, Cells), Value) :-
    count(Cells, max, A),
    count(min, Cells, B),
    Value is A - B.
count(Cells, P, Count) :-
    findall(N, gen_assoc(N, Cells, P), Ns),
    length(Ns, Count).
quiet(board(_, Cells)) :-
    get_assoc(1-1, Cells, free).
acyclic.
other(max, min).
other(min, max).
