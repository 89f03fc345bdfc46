:- module(maplist,
          [ maplist/2, maplist/3, maplist/4
          ]).

:- meta_predicate maplist(1, ?), maplist(2, ?, ?), maplist(3, ?, ?, ?).

% A goal is called for the elements of up to three lists.

%! maplist(:Goal, ?List)  call(Goal, X) is true for every element X of List.
maplist(Goal, List) :-
    maplist_1(List, Goal).

maplist_1([], _).
maplist_1([A|As], Goal) :-
    call(Goal, A),
    maplist_1(As, Goal).

%! maplist(:Goal, ?As, ?Bs)  call(Goal, A, B) is true for the elements A and B of As and Bs in step.
maplist(Goal, As, Bs) :-
    guide(As, Bs, Guide),
    maplist_2(Guide, As, Bs, Goal).

maplist_2([], [], [], _).
maplist_2([_|_], [A|As], [B|Bs], Goal) :-
    call(Goal, A, B),
    (   nonvar(As) -> maplist_2(As, As, Bs, Goal)
    ;   maplist_2(Bs, As, Bs, Goal)
    ).

%! maplist(:Goal, ?As, ?Bs, ?Cs)  As maplist/3, for three lists.
maplist(Goal, As, Bs, Cs) :-
    guide(As, Bs, Cs, Guide),
    maplist_3(Guide, As, Bs, Cs, Goal).

maplist_3([], [], [], [], _).
maplist_3([_|_], [A|As], [B|Bs], [C|Cs], Goal) :-
    call(Goal, A, B, C),
    guide(As, Bs, Cs, Guide),
    maplist_3(Guide, As, Bs, Cs, Goal).
