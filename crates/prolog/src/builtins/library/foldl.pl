:- module(foldl,
          [ foldl/4, foldl/5, foldl/6, foldl/7
          ]).

:- meta_predicate foldl(3, ?, ?, ?), foldl(4, ?, ?, ?, ?), foldl(5, ?, ?, ?, ?, ?),
       foldl(6, ?, ?, ?, ?, ?, ?).

% A goal is called for the elements of lists, each time with its last result.

%! foldl(:Goal, +List, +V0, -V)  Calls call(Goal, X, V0, V1) for each element X of List, each time with the V1 of the last as V0.
foldl(Goal, As, V0, V) :-
    foldl_1(As, Goal, V0, V).

foldl_1([], _, V, V).
foldl_1([A|As], Goal, V0, V) :-
    call(Goal, A, V0, V1),
    foldl_1(As, Goal, V1, V).

%! foldl(:Goal, +As, +Bs, +V0, -V)  As foldl/4, for two lists in step.
foldl(Goal, As, Bs, V0, V) :-
    guide(As, Bs, Guide),
    foldl_2(Guide, As, Bs, Goal, V0, V).

foldl_2([], [], [], _, V, V).
foldl_2([_|_], [A|As], [B|Bs], Goal, V0, V) :-
    call(Goal, A, B, V0, V1),
    guide(As, Bs, Guide),
    foldl_2(Guide, As, Bs, Goal, V1, V).

%! foldl(:Goal, +As, +Bs, +Cs, +V0, -V)  As foldl/4, for three lists in step.
foldl(Goal, As, Bs, Cs, V0, V) :-
    guide(As, Bs, Cs, Guide),
    foldl_3(Guide, As, Bs, Cs, Goal, V0, V).

foldl_3([], [], [], [], _, V, V).
foldl_3([_|_], [A|As], [B|Bs], [C|Cs], Goal, V0, V) :-
    call(Goal, A, B, C, V0, V1),
    guide(As, Bs, Cs, Guide),
    foldl_3(Guide, As, Bs, Cs, Goal, V1, V).

%! foldl(:Goal, +As, +Bs, +Cs, +Ds, +V0, -V)  As foldl/4, for four lists in step.
foldl(Goal, As, Bs, Cs, Ds, V0, V) :-
    guide(As, Bs, Cs, Ds, Guide),
    foldl_4(Guide, As, Bs, Cs, Ds, Goal, V0, V).

foldl_4([], [], [], [], [], _, V, V).
foldl_4([_|_], [A|As], [B|Bs], [C|Cs], [D|Ds], Goal, V0, V) :-
    call(Goal, A, B, C, D, V0, V1),
    guide(As, Bs, Cs, Ds, Guide),
    foldl_4(Guide, As, Bs, Cs, Ds, Goal, V1, V).
