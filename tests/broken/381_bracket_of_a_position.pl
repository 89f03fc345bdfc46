% The position in a head is not closed.
% code: A0106
% at: 22:5
% help: add `)`
% mend 22: |move(path(Side, Cells), Label, path(Other, Next)) :-
% Frogs: hop over the other colour along a path.
:- use_module(library(alphorn)).
:- param(length, 7, 3..11, "cells of the path").
:- expect(perft(1) = 2).

initial(path(max, Cells)) :-
    param(length, N),
    Half is N // 2,
    length(Ms, Half),
    maplist(=(m), Ms),
    length(Ns, Half),
    maplist(=(n), Ns),
    append([Ms, [e], Ns], Cells).

max_to_move(path(max, _)).

move(path(Side, Cells, Label, path(Other, Next)) :-
    rival(Side, Other),
    frog(Side, Frog),
    hop(Frog, Cells, From, To),
    swap(Cells, From, To, Next),
    atomic_list_concat([From, To], '-', Label).

hop(m, Cells, From, To) :-
    nth1(From, Cells, m),
    member(Step, [1, 2]),
    To is From + Step,
    nth1(To, Cells, e).
hop(n, Cells, From, To) :-
    nth1(From, Cells, n),
    member(Step, [1, 2]),
    To is From - Step,
    nth1(To, Cells, e).

swap(Cells, I, J, Next) :-
    nth1(I, Cells, X),
    nth1(J, Cells, Y),
    replace(Cells, I, Y, Mid),
    replace(Mid, J, X, Next).

replace([_|T], 1, Y, [Y|T]).
replace([X|T], I, Y, [X|R]) :-
    I > 1,
    I1 is I - 1,
    replace(T, I1, Y, R).

outcome(path(Side, _), win(Other)) :- rival(Side, Other).
static_eval(path(_, Cells), V) :-
    aggregate_all(count, nth1(_, Cells, m), Ms),
    aggregate_all(count, nth1(_, Cells, n), Ns),
    V is Ms - Ns.

frog(max, m).
frog(min, n).
rival(max, min).
rival(min, max).
acyclic.
