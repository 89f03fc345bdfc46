:- module(closure, [closure/3]).

:- meta_predicate closure(?, 2, ?).

% Everything that can be reached by steps.

%! closure(+Start, :Step, -Set)  The sorted list of what is reached from Start, itself included, by call(Step, X, Y).
closure(Start, Step, Set) :-
    closure_grow([Start], Step, [Start], Set).

closure_grow([], _, Set, Set).
closure_grow([X|Xs], Step, Set0, Set) :-
    findall(Y, ( member(Z, [X|Xs]), call(Step, Z, Y) ), Ys0),
    sort(Ys0, Ys),
    ord_subtract(Ys, Set0, New),
    ord_union(Set0, New, Set1),
    closure_grow(New, Step, Set1, Set).
