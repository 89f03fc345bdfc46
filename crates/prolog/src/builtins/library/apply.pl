:- module(apply,
          [ include/3, exclude/3, partition/4, partition/5, convlist/3, maplist/2, maplist/3,
            maplist/4, maplist/5, maplist/6, maplist/7, foldl/4, foldl/5, foldl/6, foldl/7, predsort/3,
            sublist/3, checklist/2
          ]).

:- meta_predicate include(1, ?, ?), exclude(1, ?, ?), partition(1, ?, ?, ?), partition(2, ?, ?, ?, ?),
       convlist(2, ?, ?), maplist(1, ?), maplist(2, ?, ?), maplist(3, ?, ?, ?),
       maplist(4, ?, ?, ?, ?), maplist(5, ?, ?, ?, ?, ?), maplist(6, ?, ?, ?, ?, ?, ?),
       foldl(3, ?, ?, ?), foldl(4, ?, ?, ?, ?), foldl(5, ?, ?, ?, ?, ?),
       foldl(6, ?, ?, ?, ?, ?, ?), predsort(3, ?, ?), sublist(1, ?, ?), checklist(1, ?).

% A goal is called for the elements of lists.

%! include(:Goal, +List, -Included)  Included is the elements of List for which call(Goal, X) succeeds.
include(Goal, List, Included) :-
    include_list(List, Goal, Included).

include_list([], _, []).
include_list([X|Xs], Goal, Included) :-
    (   call(Goal, X) -> Included = [X|Included1]
    ;   Included = Included1
    ),
    include_list(Xs, Goal, Included1).

%! exclude(:Goal, +List, -Rest)  Rest is the elements of List for which call(Goal, X) fails.
exclude(Goal, List, Rest) :-
    exclude_list(List, Goal, Rest).

exclude_list([], _, []).
exclude_list([X|Xs], Goal, Rest) :-
    (   call(Goal, X) -> Rest = Rest1
    ;   Rest = [X|Rest1]
    ),
    exclude_list(Xs, Goal, Rest1).

%! partition(:Goal, +List, -Included, -Excluded)  Splits List by whether call(Goal, X) succeeds.
partition(Goal, List, Included, Excluded) :-
    partition_list(List, Goal, Included, Excluded).

partition_list([], _, [], []).
partition_list([X|Xs], Goal, Included, Excluded) :-
    (   call(Goal, X) ->
        Included = [X|Included1],
        partition_list(Xs, Goal, Included1, Excluded)
    ;   Excluded = [X|Excluded1],
        partition_list(Xs, Goal, Included, Excluded1)
    ).

%! partition(:Goal, +List, -Less, -Equal, -Greater)  Splits List by the Order (<, = or >) that call(Goal, X, Order) gives.
partition(Goal, List, Less, Equal, Greater) :-
    partition_by_order(List, Goal, Less, Equal, Greater).

partition_by_order([], _, [], [], []).
partition_by_order([X|Xs], Goal, Less, Equal, Greater) :-
    call(Goal, X, Order),
    (   Order = (<) ->
        Less = [X|Less1],
        partition_by_order(Xs, Goal, Less1, Equal, Greater)
    ;   Order = (=) ->
        Equal = [X|Equal1],
        partition_by_order(Xs, Goal, Less, Equal1, Greater)
    ;   Order = (>) ->
        Greater = [X|Greater1],
        partition_by_order(Xs, Goal, Less, Equal, Greater1)
    ;   ground(Order) ->
        throw(error(type_error(oneof([<, =, >]), Order), _))
    ;   throw(error(instantiation_error, _))
    ).

%! convlist(:Goal, +List, -Results)  Results is the Y for each X in List for which call(Goal, X, Y) succeeds.
convlist(Goal, List, Results) :-
    convlist_list(List, Goal, Results).

convlist_list([], _, []).
convlist_list([X|Xs], Goal, Results) :-
    (   call(Goal, X, Y) ->
        Results = [Y|Results1],
        convlist_list(Xs, Goal, Results1)
    ;   convlist_list(Xs, Goal, Results)
    ).

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

%! maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds)  As maplist/3, for four lists.
maplist(Goal, As, Bs, Cs, Ds) :-
    guide(As, Bs, Cs, Ds, Guide),
    maplist_4(Guide, As, Bs, Cs, Ds, Goal).

maplist_4([], [], [], [], [], _).
maplist_4([_|_], [A|As], [B|Bs], [C|Cs], [D|Ds], Goal) :-
    call(Goal, A, B, C, D),
    guide(As, Bs, Cs, Ds, Guide),
    maplist_4(Guide, As, Bs, Cs, Ds, Goal).

%! maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es)  As maplist/3, for five lists.
maplist(Goal, As, Bs, Cs, Ds, Es) :-
    guide(As, Bs, Cs, Ds, Es, Guide),
    maplist_5(Guide, As, Bs, Cs, Ds, Es, Goal).

maplist_5([], [], [], [], [], [], _).
maplist_5([_|_], [A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], Goal) :-
    call(Goal, A, B, C, D, E),
    guide(As, Bs, Cs, Ds, Es, Guide),
    maplist_5(Guide, As, Bs, Cs, Ds, Es, Goal).

%! maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es, ?Fs)  As maplist/3, for six lists.
maplist(Goal, As, Bs, Cs, Ds, Es, Fs) :-
    guide(As, Bs, Cs, Ds, Es, Fs, Guide),
    maplist_6(Guide, As, Bs, Cs, Ds, Es, Fs, Goal).

maplist_6([], [], [], [], [], [], [], _).
maplist_6([_|_], [A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], Goal) :-
    call(Goal, A, B, C, D, E, F),
    guide(As, Bs, Cs, Ds, Es, Fs, Guide),
    maplist_6(Guide, As, Bs, Cs, Ds, Es, Fs, Goal).

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

%! predsort(:Goal, +List, -Sorted)  Sorts List by call(Goal, Order, X, Y), where Order is <, > or =; of two equal elements the second is dropped.
predsort(Goal, List, Sorted) :-
    must_be(list, List),
    length(List, Length),
    predsort_first(Length, Goal, List, _, Sorted0),
    Sorted = Sorted0.

% Sorts the first Length elements of List; Rest is those after them.
predsort_first(Length, Goal, List, Rest, Sorted) :-
    (   Length =:= 2 ->
        List = [X, Y|Rest],
        call(Goal, Order, X, Y),
        predsort_two(Order, X, Y, Sorted)
    ;   Length =:= 1 ->
        List = [X|Rest],
        Sorted = [X]
    ;   Length =:= 0 ->
        Rest = List,
        Sorted = []
    ;   Length1 is Length // 2,
        Length2 is Length - Length1,
        predsort_first(Length1, Goal, List, List2, Sorted1),
        predsort_first(Length2, Goal, List2, Rest, Sorted2),
        predsort_merge(Sorted1, Sorted2, Goal, Sorted)
    ).

predsort_two(<, X, Y, [X, Y]).
predsort_two(=, X, _, [X]).
predsort_two(>, X, Y, [Y, X]).

predsort_merge([], Ys, _, Ys).
predsort_merge([X|Xs], Ys, Goal, Merged) :-
    predsort_merge_into(Ys, X, Xs, Goal, Merged).

predsort_merge_into([], X, Xs, _, [X|Xs]).
predsort_merge_into([Y|Ys], X, Xs, Goal, Merged) :-
    once(call(Goal, Order, X, Y)),
    predsort_merge_by(Order, X, Xs, Y, Ys, Goal, Merged).

predsort_merge_by(>, X, Xs, Y, Ys, Goal, [Y|Merged]) :-
    predsort_merge_into(Ys, X, Xs, Goal, Merged).
predsort_merge_by(=, X, Xs, _, Ys, Goal, [X|Merged]) :-
    predsort_merge(Xs, Ys, Goal, Merged).
predsort_merge_by(<, X, Xs, Y, Ys, Goal, [X|Merged]) :-
    predsort_merge(Xs, [Y|Ys], Goal, Merged).

%! sublist(:Goal, +List, -Included)  The older name of include/3.
sublist(Goal, List, Included) :-
    include(Goal, List, Included).

%! checklist(:Goal, +List)  The older name of maplist/2.
checklist(Goal, List) :-
    maplist(Goal, List).
