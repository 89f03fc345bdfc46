:- module(prelude,
          [ append/3, append/2, member/2, memberchk/2,
            nth0/3, nth1/3, nth0/4, nth1/4, reverse/2, last/2,
            sum_list/2, sumlist/2, max_list/2, min_list/2,
            max_member/2, min_member/2,
            list_to_set/2, permutation/2, select/3, select/4, selectchk/3,
            subtract/3, intersection/3, union/3, delete/3, flatten/2,
            include/3, exclude/3, partition/4, partition/5, convlist/3,
            maplist/2, maplist/3, maplist/4, maplist/5, maplist/6, maplist/7,
            foldl/4, foldl/5, foldl/6, foldl/7,
            predsort/3, pairs_keys/2, pairs_values/2, pairs_keys_values/3,
            list_to_ord_set/2, ord_union/3, ord_subtract/3, ord_memberchk/2,
            ord_add_element/3, ord_del_element/3,
            aggregate_all/3, bagof/3, setof/3, closure/3, repeat/0, (^)/2, apply/2, phrase/2, phrase/3,
            (>>)/2, (>>)/3, (>>)/4, (>>)/5, (>>)/6, (>>)/7, (>>)/8, (>>)/9,
            (/)/2, (/)/3, (/)/4, (/)/5, (/)/6, (/)/7, (/)/8, (/)/9
          ]).

:- meta_predicate bagof(?, ^, ?), setof(?, ^, ?), aggregate_all(?, 0, ?), closure(?, 2, ?),
       include(1, ?, ?), exclude(1, ?, ?), partition(1, ?, ?, ?), partition(2, ?, ?, ?, ?),
       convlist(2, ?, ?), maplist(1, ?), maplist(2, ?, ?), maplist(3, ?, ?, ?),
       maplist(4, ?, ?, ?, ?), maplist(5, ?, ?, ?, ?, ?), maplist(6, ?, ?, ?, ?, ?, ?),
       foldl(3, ?, ?, ?), foldl(4, ?, ?, ?, ?), foldl(5, ?, ?, ?, ?, ?),
       foldl(6, ?, ?, ?, ?, ?, ?), predsort(3, ?, ?), phrase(2, ?), phrase(2, ?, ?).

% The library predicates that are written in the language itself.
%
% Two habits recur below.
%
%   - A loop is given as its first argument a list whose shape is known, so
%     that indexing on the first argument picks one clause.  Where any of
%     several lists may be the known one, the loop takes an extra first
%     argument, a "guide": the first of those lists that is not a variable.
%
%   - Where the reference system has single-sided rules, a list that is
%     neither [] nor [_|_] is an error and is not bound: see no_rule/2.

/* ------------------------------------------------------------------ *
 *  Errors
 * ------------------------------------------------------------------ */

no_rule(Library, Goal) :-
    throw(error(existence_error(matching_rule, Library:Goal), _)).

/* ------------------------------------------------------------------ *
 *  Guides: the first list that is not a variable, else the last one
 * ------------------------------------------------------------------ */

guide(A, B, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   Guide = B
    ).

guide(A, B, C, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   nonvar(B) -> Guide = B
    ;   Guide = C
    ).

guide(A, B, C, D, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   nonvar(B) -> Guide = B
    ;   nonvar(C) -> Guide = C
    ;   Guide = D
    ).

guide(A, B, C, D, E, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   guide(B, C, D, E, Guide)
    ).

guide(A, B, C, D, E, F, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   guide(B, C, D, E, F, Guide)
    ).

/* ------------------------------------------------------------------ *
 *  Lists
 * ------------------------------------------------------------------ */

%! append(?Xs, ?Ys, ?Zs)  Zs is Xs followed by Ys.
append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

%! append(+Lists, ?List)  List is the lists in Lists one after another.
append(Lists, List) :-
    must_be(list, Lists),
    (   '$ground'(Lists) ->
        append_ground(Lists, Whole),
        List = Whole
    ;   append_lists(Lists, List)
    ).

append_ground([], []).
append_ground([Xs|Lists], Whole) :-
    append_ground(Lists, Rest),
    append(Xs, Rest, Whole).

append_lists([], []).
append_lists([Xs|Lists], List) :-
    append(Xs, Rest, List),
    append_lists(Lists, Rest).

%! member(?X, ?List)  X is an element of List.
member(X, [Y|Ys]) :-
    member_of_rest(Ys, X, Y).

member_of_rest(_, X, X).
member_of_rest([Y|Ys], X, _) :-
    member_of_rest(Ys, X, Y).

%! memberchk(?X, ?List)  X is an element of List; only the first match is taken.
memberchk(X, List) :-
    (   var(List) -> List = [X|_]
    ;   List = [Y|Ys] ->
        (   X = Y -> true
        ;   memberchk(X, Ys)
        )
    ;   List == [] -> fail
    ;   throw(error(type_error(list, List), _))
    ).

%! nth0(?Index, ?List, ?Elem)  Elem is the element of List at Index, counting from 0.
nth0(Index, List, Elem) :-
    nth_from(0, Index, List, Elem).

%! nth1(?Index, ?List, ?Elem)  Elem is the element of List at Index, counting from 1.
nth1(Index, List, Elem) :-
    nth_from(1, Index, List, Elem).

nth_from(Base, Index, List, Elem) :-
    (   integer(Index) ->
        Skip is Index - Base,
        Skip >= 0,
        nth_at(List, Skip, Elem)
    ;   var(Index) ->
        List = [X|Xs],
        nth_any(Xs, X, Elem, Base, Index)
    ;   must_be(integer, Index),
        fail
    ).

nth_at([X|Xs], Skip, Elem) :-
    (   Skip =:= 0 -> Elem = X
    ;   Skip1 is Skip - 1,
        nth_at(Xs, Skip1, Elem)
    ).

nth_any(_, Elem, Elem, Index, Index).
nth_any([X|Xs], _, Elem, Here, Index) :-
    Next is Here + 1,
    nth_any(Xs, X, Elem, Next, Index).

%! nth0(?Index, ?List, ?Elem, ?Rest)  As nth0/3; Rest is List without that element.
nth0(Index, List, Elem, Rest) :-
    (   var(Index) -> nth_any_rest(List, 0, Index, Elem, Rest)
    ;   must_be(nonneg, Index),
        nth_at_rest(Index, List, Elem, Rest)
    ).

%! nth1(?Index, ?List, ?Elem, ?Rest)  As nth1/3; Rest is List without that element.
nth1(Index, List, Elem, Rest) :-
    (   var(Index) -> nth_any_rest(List, 1, Index, Elem, Rest)
    ;   must_be(positive_integer, Index),
        Skip is Index - 1,
        nth_at_rest(Skip, List, Elem, Rest)
    ).

nth_any_rest([X|Xs], Index, Index, X, Xs).
nth_any_rest([X|Xs], Here, Index, Elem, [X|Rest]) :-
    Next is Here + 1,
    nth_any_rest(Xs, Next, Index, Elem, Rest).

nth_at_rest(Skip, [X|Xs], Elem, Rest) :-
    (   Skip =:= 0 ->
        Elem = X,
        Rest = Xs
    ;   Rest = [X|Ys],
        Skip1 is Skip - 1,
        nth_at_rest(Skip1, Xs, Elem, Ys)
    ).

%! reverse(?Xs, ?Ys)  Ys is the elements of Xs in reverse order.
reverse(Xs, Ys) :-
    (   '$ground'(Xs) ->
        reverse_ground(Xs, [], Zs),
        Ys = Zs
    ;   guide(Xs, Ys, Guide),
        reverse_onto(Guide, Xs, Ys, [], Ys)
    ).

reverse_ground([], Ys, Ys).
reverse_ground([X|Xs], Done, Ys) :-
    reverse_ground(Xs, [X|Done], Ys).

% The third argument grows or shrinks in step with Xs, so that a list Ys
% of known length ends the search when Xs is partial.
reverse_onto([], [], [], Ys, Ys).
reverse_onto([_|_], [X|Xs], [_|Bound], Done, Ys) :-
    guide(Xs, Bound, Guide),
    reverse_onto(Guide, Xs, Bound, [X|Done], Ys).

%! last(?List, ?Last)  Last is the last element of List.
last([X|Xs], Last) :-
    last_of_rest(Xs, X, Last).

last_of_rest([], Last, Last).
last_of_rest([X|Xs], _, Last) :-
    last_of_rest(Xs, X, Last).

%! select(?X, ?List, ?Rest)  Rest is List with one occurrence of X taken out.
select(X, [Y|Ys], Rest) :-
    select_from_rest(Ys, Y, X, Rest).

select_from_rest(Ys, X, X, Ys).
select_from_rest([Y|Ys], Z, X, [Z|Rest]) :-
    select_from_rest(Ys, Y, X, Rest).

%! select(?X, ?Xs, ?Y, ?Ys)  Ys is Xs with one occurrence of X replaced by Y.
select(X, Xs, Y, Ys) :-
    select_replace(Xs, X, Y, Ys).

select_replace([X|Rest], X, Y, [Y|Rest]).
select_replace([Z|Xs], X, Y, [Z|Ys]) :-
    select_replace(Xs, X, Y, Ys).

%! selectchk(?X, ?List, ?Rest)  As select/3, but only the first match is taken.
selectchk(X, List, Rest) :-
    once(select(X, List, Rest0)),
    Rest = Rest0.

%! permutation(?Xs, ?Ys)  Ys is the elements of Xs in some order.
permutation(Xs, Ys) :-
    '$ground'(Xs),
    var(Ys),
    !,
    must_be(list, Xs),
    % As in SWI-Prolog, the last answer is not known to be the last.
    (   permutation_from(Xs, Ys)
    ;   fail
    ).
permutation(Xs, Ys) :-
    list_shape(Xs, 0, XLength, XTail),
    list_shape(Ys, 0, YLength, YTail),
    (   XTail == [], YTail == [] -> XLength =:= YLength
    ;   var(XTail), YTail == [] -> length(Xs, YLength)
    ;   XTail == [], var(YTail) -> length(Ys, XLength)
    ;   var(XTail), var(YTail) ->
        length(Xs, Length),
        length(Ys, Length)
    ;   must_be(list, Xs),
        must_be(list, Ys)
    ),
    (   permutation_of(Ys, Xs)
    ;   fail
    ).

permutation_from([], []).
permutation_from([X|Xs], [Y|Ys]) :-
    select(Y, [X|Xs], Rest),
    permutation_from(Rest, Ys).

permutation_of([], []).
permutation_of([Y|Ys], Xs) :-
    select(Y, Xs, Rest),
    permutation_of(Ys, Rest).

% Length counts the cells of List, Tail is what stands after the last one.
list_shape(List, Length0, Length, Tail) :-
    (   nonvar(List), List = [_|Rest] ->
        Length1 is Length0 + 1,
        list_shape(Rest, Length1, Length, Tail)
    ;   Length = Length0,
        Tail = List
    ).

%! delete(+List, @X, -Rest)  Rest is List without the elements that unify with X.
delete([], _, []).
delete([Y|Ys], X, Rest) :-
    (   Y \= X ->
        Rest = [Y|Rest1],
        delete(Ys, X, Rest1)
    ;   delete(Ys, X, Rest)
    ).

%! flatten(+Nested, ?Flat)  Flat is the elements of Nested and of the lists in it.
flatten(Nested, Flat) :-
    (   '$ground'(Nested) -> flatten_ground(Nested, [], Flat0)
    ;   flatten_onto(Nested, [], Flat0)
    ),
    Flat = Flat0.

flatten_ground(Term, Tail, Flat) :-
    (   Term == [] -> Flat = Tail
    ;   Term = [X|Xs] ->
        flatten_ground(Xs, Tail, Rest),
        flatten_ground(X, Rest, Flat)
    ;   Flat = [Term|Tail]
    ).

flatten_onto(Term, Tail, Flat) :-
    (   var(Term) -> Flat = [Term|Tail]
    ;   Term == [] -> Flat = Tail
    ;   Term = [X|Xs] ->
        flatten_onto(X, Rest, Flat),
        flatten_onto(Xs, Tail, Rest)
    ;   Flat = [Term|Tail]
    ).

/* ------------------------------------------------------------------ *
 *  Lists of numbers; the greatest and least element
 * ------------------------------------------------------------------ */

%! sum_list(+Numbers, ?Sum)  Sum is the sum of Numbers.
sum_list(Xs, Sum) :-
    sum_list_from(Xs, 0, Sum).

%! sumlist(+Numbers, ?Sum)  The older name of sum_list/2.
sumlist(Xs, Sum) :-
    sum_list(Xs, Sum).

sum_list_from(List, Sum0, Sum) :-
    (   nonvar(List), List = [X|Xs] ->
        Sum1 is Sum0 + X,
        sum_list_from(Xs, Sum1, Sum)
    ;   List == [] -> Sum = Sum0
    ;   no_rule(lists, sum_list(List, Sum0, Sum))
    ).

%! max_list(+Numbers, ?Max)  Max is the largest of Numbers; fails for [].
max_list(List, Max) :-
    (   nonvar(List), List = [X|Xs] -> max_list_from(Xs, X, Max)
    ;   List == [] -> fail
    ;   no_rule(lists, max_list(List, Max))
    ).

max_list_from(List, Max0, Max) :-
    (   nonvar(List), List = [X|Xs] ->
        Max1 is max(X, Max0),
        max_list_from(Xs, Max1, Max)
    ;   List == [] -> Max = Max0
    ;   no_rule(lists, max_list(List, Max0, Max))
    ).

%! min_list(+Numbers, ?Min)  Min is the smallest of Numbers; fails for [].
min_list(List, Min) :-
    (   nonvar(List), List = [X|Xs] -> min_list_from(Xs, X, Min)
    ;   List == [] -> fail
    ;   no_rule(lists, min_list(List, Min))
    ).

min_list_from(List, Min0, Min) :-
    (   nonvar(List), List = [X|Xs] ->
        Min1 is min(X, Min0),
        min_list_from(Xs, Min1, Min)
    ;   List == [] -> Min = Min0
    ;   no_rule(lists, min_list(List, Min0, Min))
    ).

%! max_member(?Max, +List)  Max is the last element of List in the standard order of terms.
max_member(Max, List) :-
    (   nonvar(List), List = [X|Xs] -> max_member_from(Xs, X, Max)
    ;   List == [] -> fail
    ;   no_rule(lists, max_member(Max, List))
    ).

max_member_from(List, Max0, Max) :-
    (   nonvar(List), List = [X|Xs] ->
        (   X @> Max0 -> max_member_from(Xs, X, Max)
        ;   max_member_from(Xs, Max0, Max)
        )
    ;   List == [] -> Max = Max0
    ;   no_rule(lists, max_member_(List, Max0, Max))
    ).

%! min_member(?Min, +List)  Min is the first element of List in the standard order of terms.
min_member(Min, List) :-
    (   nonvar(List), List = [X|Xs] -> min_member_from(Xs, X, Min)
    ;   List == [] -> fail
    ;   no_rule(lists, min_member(Min, List))
    ).

min_member_from(List, Min0, Min) :-
    (   nonvar(List), List = [X|Xs] ->
        (   X @< Min0 -> min_member_from(Xs, X, Min)
        ;   min_member_from(Xs, Min0, Min)
        )
    ;   List == [] -> Min = Min0
    ;   no_rule(lists, min_member_(List, Min0, Min))
    ).

/* ------------------------------------------------------------------ *
 *  Lists as sets
 * ------------------------------------------------------------------ */

%! list_to_set(+List, ?Set)  Set is List without the elements identical (==) to an earlier one.
list_to_set(List, Set) :-
    must_be(list, List),
    number_elements(List, 1, Numbered),
    keysort(Numbered, Grouped),
    first_of_each(Grouped, Firsts),
    keysort(Firsts, Ordered),
    pairs_values(Ordered, Set0),
    Set = Set0.

number_elements([], _, []).
number_elements([X|Xs], N, [X-N|Pairs]) :-
    N1 is N + 1,
    number_elements(Xs, N1, Pairs).

first_of_each([], []).
first_of_each([X-N|Pairs], [N-X|Firsts]) :-
    drop_same_key(Pairs, X, Rest),
    first_of_each(Rest, Firsts).

drop_same_key([], _, []).
drop_same_key([Y-N|Pairs], X, Rest) :-
    (   Y == X -> drop_same_key(Pairs, X, Rest)
    ;   Rest = [Y-N|Pairs]
    ).

%! subtract(+Xs, +Ys, -Zs)  Zs is the elements of Xs that are not members of Ys.
subtract(List, Ys, Zs) :-
    (   nonvar(List), List = [X|Xs] ->
        (   memberchk(X, Ys) -> subtract(Xs, Ys, Zs)
        ;   Zs = [X|Zs1],
            subtract(Xs, Ys, Zs1)
        )
    ;   List == [] -> Zs = []
    ;   no_rule(lists, subtract(List, Ys, Zs))
    ).

%! intersection(+Xs, +Ys, -Zs)  Zs is the elements of Xs that are members of Ys.
intersection(List, Ys, Zs) :-
    (   nonvar(List), List = [X|Xs] ->
        (   memberchk(X, Ys) ->
            Zs = [X|Zs1],
            intersection(Xs, Ys, Zs1)
        ;   intersection(Xs, Ys, Zs)
        )
    ;   List == [] -> Zs = []
    ;   no_rule(lists, intersection(List, Ys, Zs))
    ).

%! union(+Xs, +Ys, -Zs)  Zs is the elements of Xs that are not members of Ys, then Ys.
union(List, Ys, Zs) :-
    (   nonvar(List), List = [X|Xs] ->
        (   memberchk(X, Ys) -> union(Xs, Ys, Zs)
        ;   Zs = [X|Zs1],
            union(Xs, Ys, Zs1)
        )
    ;   List == [] -> Zs = Ys
    ;   no_rule(lists, union(List, Ys, Zs))
    ).

/* ------------------------------------------------------------------ *
 *  Applying a goal to the elements of lists
 * ------------------------------------------------------------------ */

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

/* ------------------------------------------------------------------ *
 *  Pairs
 * ------------------------------------------------------------------ */

%! pairs_keys_values(?Pairs, ?Keys, ?Values)  Pairs is the list of K-V for the Keys and Values in step.
pairs_keys_values(Pairs, Keys, Values) :-
    guide(Pairs, Keys, Values, Guide),
    pairs_keys_values_list(Guide, Pairs, Keys, Values).

pairs_keys_values_list([], [], [], []).
pairs_keys_values_list([_|_], [K-V|Pairs], [K|Keys], [V|Values]) :-
    guide(Pairs, Keys, Values, Guide),
    pairs_keys_values_list(Guide, Pairs, Keys, Values).

%! pairs_keys(?Pairs, ?Keys)  Keys is the K of each K-V in Pairs.
pairs_keys(Pairs, Keys) :-
    guide(Pairs, Keys, Guide),
    pairs_keys_list(Guide, Pairs, Keys).

pairs_keys_list([], [], []).
pairs_keys_list([_|_], [K-_|Pairs], [K|Keys]) :-
    guide(Pairs, Keys, Guide),
    pairs_keys_list(Guide, Pairs, Keys).

%! pairs_values(?Pairs, ?Values)  Values is the V of each K-V in Pairs.
pairs_values(Pairs, Values) :-
    guide(Pairs, Values, Guide),
    pairs_values_list(Guide, Pairs, Values).

pairs_values_list([], [], []).
pairs_values_list([_|_], [_-V|Pairs], [V|Values]) :-
    guide(Pairs, Values, Guide),
    pairs_values_list(Guide, Pairs, Values).

/* ------------------------------------------------------------------ *
 *  Ordered sets
 * ------------------------------------------------------------------ */

%! list_to_ord_set(+List, ?Set)  Set is List sorted, without duplicates.
list_to_ord_set(List, Set) :-
    sort(List, Set).

%! ord_union(+Xs, +Ys, ?Zs)  Zs is the ordered set of the elements of the ordered sets Xs and Ys.
ord_union(Set, Ys, Zs) :-
    (   nonvar(Set), Set = [X|Xs] -> ord_union_into(Ys, X, Xs, Zs)
    ;   Set == [] -> Zs = Ys
    ;   no_rule(ordsets, ord_union(Set, Ys, Zs))
    ).

ord_union_into(Set, X, Xs, Zs) :-
    (   nonvar(Set), Set = [Y|Ys] ->
        compare(Order, X, Y),
        ord_union_by(Order, X, Xs, Y, Ys, Zs)
    ;   Set == [] -> Zs = [X|Xs]
    ;   no_rule(ordsets, union2(Set, X, Xs, Zs))
    ).

ord_union_by(<, X, Xs, Y, Ys, [X|Zs]) :-
    ord_union_into(Xs, Y, Ys, Zs).
ord_union_by(=, X, Xs, _, Ys, [X|Zs]) :-
    ord_union(Xs, Ys, Zs).
ord_union_by(>, X, Xs, Y, Ys, [Y|Zs]) :-
    ord_union_into(Ys, X, Xs, Zs).

%! ord_subtract(+Xs, +Ys, ?Zs)  Zs is the elements of the ordered set Xs that are not in the ordered set Ys.
ord_subtract(Set, Ys, Zs) :-
    (   Set == [] -> Zs = []
    ;   Ys == [] -> Zs = Set
    ;   nonvar(Set), Set = [X|Xs] -> ord_subtract_drop(Ys, X, Xs, Zs)
    ;   no_rule(ordsets, ord_subtract(Set, Ys, Zs))
    ).

% Takes the elements of the first argument out of [X|Xs].
ord_subtract_drop([], X, Xs, [X|Xs]).
ord_subtract_drop([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    ord_subtract_by(Order, X, Xs, Y, Ys, Zs).

% Takes [Y|Ys] out of the first argument.
ord_subtract_keep([], _, _, []).
ord_subtract_keep([X|Xs], Y, Ys, Zs) :-
    compare(Order, X, Y),
    ord_subtract_by(Order, X, Xs, Y, Ys, Zs).

ord_subtract_by(<, X, Xs, Y, Ys, [X|Zs]) :-
    ord_subtract_keep(Xs, Y, Ys, Zs).
ord_subtract_by(=, _, Xs, _, Ys, Zs) :-
    ord_subtract(Xs, Ys, Zs).
ord_subtract_by(>, X, Xs, _, Ys, Zs) :-
    ord_subtract_drop(Ys, X, Xs, Zs).

%! ord_memberchk(@X, +Set)  X is identical (==) to an element of the ordered set Set.
ord_memberchk(X, Set) :-
    nonvar(Set),
    Set = [Y|Ys],
    compare(Order, X, Y),
    (   Order = (>) -> ord_memberchk(X, Ys)
    ;   Order = (=)
    ).

%! ord_add_element(+Set, @X, ?Set1)  Set1 is the ordered set Set with X added.
ord_add_element([], X, [X]).
ord_add_element([Y|Ys], X, Set) :-
    compare(Order, Y, X),
    ord_add_by(Order, Y, Ys, X, Set).

ord_add_by(<, Y, Ys, X, [Y|Set]) :-
    ord_add_element(Ys, X, Set).
ord_add_by(=, Y, Ys, _, [Y|Ys]).
ord_add_by(>, Y, Ys, X, [X, Y|Ys]).

%! ord_del_element(+Set, @X, ?Set1)  Set1 is the ordered set Set without X.
ord_del_element([], _, []).
ord_del_element([Y|Ys], X, Set) :-
    compare(Order, Y, X),
    ord_del_by(Order, Y, Ys, X, Set).

ord_del_by(<, Y, Ys, X, [Y|Set]) :-
    ord_del_element(Ys, X, Set).
ord_del_by(=, _, Ys, _, Ys).
ord_del_by(>, Y, Ys, _, [Y|Ys]).

/* ------------------------------------------------------------------ *
 *  Aggregation over all solutions of a goal
 * ------------------------------------------------------------------ */

%! aggregate_all(+Template, :Goal, -Result)  Result is the count, sum(E), max(E), min(E), max(E,W), min(E,W), bag(X) or set(X) over all solutions of Goal.
aggregate_all(Template, Goal, Result) :-
    (   var(Template) -> throw(error(instantiation_error, _))
    ;   aggregate_by(Template, Goal, Result)
    ).

aggregate_by(count, Goal, Result) :-
    !,
    findall(x, Goal, Solutions),
    length(Solutions, Count),
    Result = Count.
aggregate_by(sum(E), Goal, Result) :-
    !,
    findall(V, (call(Goal), V is E), Values),
    sum_list_from(Values, 0, Sum),
    Result = Sum.
aggregate_by(max(E), Goal, Result) :-
    !,
    findall(V, (call(Goal), V is E), Values),
    aggregate_extreme(Values, max, Result).
aggregate_by(min(E), Goal, Result) :-
    !,
    findall(V, (call(Goal), V is E), Values),
    aggregate_extreme(Values, min, Result).
aggregate_by(max(E, W), Goal, Result) :-
    !,
    findall(E-W, Goal, Pairs),
    aggregate_witness(Pairs, max, Result).
aggregate_by(min(E, W), Goal, Result) :-
    !,
    findall(E-W, Goal, Pairs),
    aggregate_witness(Pairs, min, Result).
aggregate_by(bag(X), Goal, Result) :-
    !,
    aggregate_bag(Goal, X, Bag),
    Result = Bag.
aggregate_by(set(X), Goal, Result) :-
    !,
    aggregate_bag(Goal, X, Bag),
    sort(Bag, Set),
    Result = Set.
aggregate_by(Template, Goal, Result) :-
    (   compound(Template) ->
        Template =.. [Name|Specs],
        aggregate_columns(Specs, Values, Post, Ops),
        aggregate_goal(Goal, Goal1),
        findall(Values, (call(Goal1), call(Post)), Rows),
        aggregate_rows(Ops, Rows, Results),
        Result =.. [Name|Results]
    ;   aggregate_template_error(Template)
    ).

aggregate_bag(Goal, X, Bag) :-
    var(Goal),
    !,
    findall(X, Goal, Bag).
aggregate_bag(_^Goal, X, Bag) :-
    !,
    aggregate_bag(Goal, X, Bag).
aggregate_bag(Goal, X, Bag) :-
    findall(X, Goal, Bag).

aggregate_template_error(Spec) :-
    (   var(Spec) -> throw(error(instantiation_error, _))
    ;   callable(Spec) -> throw(error(domain_error(aggregate_template, Spec), _))
    ;   throw(error(type_error(aggregate_template, Spec), _))
    ).

% Goal without the leading Var^ that bagof/3 would need.
aggregate_goal(Goal0, Goal) :-
    (   nonvar(Goal0), Goal0 = (_^Goal1) -> aggregate_goal(Goal1, Goal)
    ;   Goal = Goal0
    ).

% Fails without a solution.
aggregate_extreme([V|Vs], Op, Result) :-
    aggregate_extreme_from(Vs, Op, V, Extreme),
    Result = Extreme.

aggregate_extreme_from([], _, V, V).
aggregate_extreme_from([V1|Vs], Op, V0, V) :-
    (   Op == max -> V2 is max(V0, V1)
    ;   V2 is min(V0, V1)
    ),
    aggregate_extreme_from(Vs, Op, V2, V).

aggregate_witness([E-W|Pairs], Op, Result) :-
    (   number(E) -> true
    ;   throw(error(type_error(number, E), _))
    ),
    aggregate_witness_from(Pairs, Op, E, W, Result0),
    Result = Result0.

aggregate_witness_from([], Op, E, W, Result) :-
    Result =.. [Op, E, W].
aggregate_witness_from([E1-W1|Pairs], Op, E0, W0, Result) :-
    (   Op == max, E1 > E0 -> aggregate_witness_from(Pairs, Op, E1, W1, Result)
    ;   Op == min, E1 < E0 -> aggregate_witness_from(Pairs, Op, E1, W1, Result)
    ;   aggregate_witness_from(Pairs, Op, E0, W0, Result)
    ).

% A template such as r(count, max(X)): one value per argument and
% solution, the goal that computes it, and the operation on its column.
aggregate_columns([], [], true, []).
aggregate_columns([Spec|Specs], [Value|Values], (Goal, Post), [Op|Ops]) :-
    (   nonvar(Spec), aggregate_column(Spec, Value0, Goal0, Op0) ->
        Value = Value0,
        Goal = Goal0,
        Op = Op0
    ;   aggregate_template_error(Spec)
    ),
    aggregate_columns(Specs, Values, Post, Ops).

aggregate_column(count, x, true, count).
aggregate_column(sum(E), V, (V is E), sum).
aggregate_column(max(E), V, (V is E), max).
aggregate_column(min(E), V, (V is E), min).
aggregate_column(max(E, W), V-W, (V is E), max_witness).
aggregate_column(min(E, W), V-W, (V is E), min_witness).
aggregate_column(bag(X), X, true, bag).
aggregate_column(set(X), X, true, set).

aggregate_rows([], _, []).
aggregate_rows([Op|Ops], Rows, [Result|Results]) :-
    first_column(Rows, Column, Rows1),
    aggregate_column_result(Op, Column, Result),
    aggregate_rows(Ops, Rows1, Results).

first_column([], [], []).
first_column([[X|Xs]|Rows], [X|Column], [Xs|Rows1]) :-
    first_column(Rows, Column, Rows1).

aggregate_column_result(count, Column, Count) :-
    length(Column, Count).
aggregate_column_result(sum, Column, Sum) :-
    sum_list_from(Column, 0, Sum).
aggregate_column_result(max, Column, Max) :-
    aggregate_extreme(Column, max, Max).
aggregate_column_result(min, Column, Min) :-
    aggregate_extreme(Column, min, Min).
aggregate_column_result(max_witness, Pairs, Result) :-
    aggregate_witness(Pairs, max, Result).
aggregate_column_result(min_witness, Pairs, Result) :-
    aggregate_witness(Pairs, min, Result).
aggregate_column_result(bag, Bag, Bag).
aggregate_column_result(set, Bag, Set) :-
    sort(Bag, Set).

/* ------------------------------------------------------------------ *
 *  Calling
 * ------------------------------------------------------------------ */

%! apply(:Goal, +Args)  Calls Goal with the elements of the list Args added to its arguments.
apply(Goal, Extra) :-
    must_be(callable, Goal),
    Goal =.. [Name|Args0],
    append(Args0, Extra, Args),
    must_be(list, Args),
    Goal1 =.. [Name|Args],
    call(Goal1).

%! phrase(:Body, ?List)  The grammar body Body describes the whole of List.
phrase(Body, List) :-
    phrase(Body, List, []).

%! phrase(:Body, ?List, ?Rest)  The grammar body Body describes what stands in List before Rest.
phrase(Body, List, Rest) :-
    phrase_list(List),
    phrase_list(Rest),
    (   nonvar(Body), phrase_control(Body) ->
        dcg_body(Body, S0, S, Goal),
        S0 = List,
        S = Rest,
        call(Goal)
    ;   nonvar(Body), \+ callable(Body), string(Body) ->
        string_codes(Body, Codes),
        append(Codes, Rest, List)
    ;   call(Body, List, Rest)
    ).

phrase_list(List) :-
    (   var(List) -> true
    ;   List = [_|_] -> true
    ;   List == [] -> true
    ;   throw(error(type_error(list, List), _))
    ).

phrase_control([]).
phrase_control([_|_]).
phrase_control((_, _)).
phrase_control((_ ; _)).
phrase_control('|'(_, _)).
phrase_control((_ -> _)).
phrase_control(\+ _).
phrase_control(!).
phrase_control({_}).

% dcg_body(+Body, ?S0, ?S, -Goal): Goal parses Body between S0 and S.
dcg_body(Body, S0, S, Goal) :-
    (   var(Body) -> Goal = phrase(Body, S0, S)
    ;   dcg_control(Body, S0, S, Goal0) -> Goal = Goal0
    ;   callable(Body) -> dcg_nonterminal(Body, S0, S, Goal)
    ;   string(Body) ->
        string_codes(Body, Codes),
        dcg_terminals(Codes, S0, S, Goal)
    ;   throw(error(type_error(callable, Body), _))
    ).

dcg_control([], S0, S, (S0 = S)).
dcg_control([X|Xs], S0, S, Goal) :-
    dcg_terminals([X|Xs], S0, S, Goal).
dcg_control(!, S0, S, (!, S = S0)).
dcg_control({}, S0, S, (S0 = S)).
dcg_control({Goal}, S0, S, (Goal, S = S0)).
dcg_control((A, B), S0, S, (GoalA, GoalB)) :-
    dcg_body(A, S0, S1, GoalA),
    dcg_body(B, S1, S, GoalB).
dcg_control((A ; B), S0, S, (GoalA ; GoalB)) :-
    dcg_body(A, S0, S, GoalA),
    dcg_body(B, S0, S, GoalB).
dcg_control('|'(A, B), S0, S, (GoalA ; GoalB)) :-
    dcg_body(A, S0, S, GoalA),
    dcg_body(B, S0, S, GoalB).
dcg_control((A -> B), S0, S, (GoalA -> GoalB)) :-
    dcg_body(A, S0, S1, GoalA),
    dcg_body(B, S1, S, GoalB).
dcg_control((A *-> B), S0, S, (GoalA *-> GoalB)) :-
    dcg_body(A, S0, S1, GoalA),
    dcg_body(B, S1, S, GoalB).
dcg_control(\+ A, S0, S, (\+ GoalA, S = S0)) :-
    dcg_body(A, S0, _, GoalA).

dcg_terminals(List, S0, S, Goal) :-
    (   is_list(List) ->
        append(List, S, Terminals),
        Goal = (S0 = Terminals)
    ;   list_shape(List, 0, _, Tail),
        var(Tail) ->
        Goal = append(List, S, S0)
    ;   throw(error(type_error(list_or_partial_list, List), _))
    ).

dcg_nonterminal(Body, S0, S, Goal) :-
    (   Body = Module:Body1 ->
        Goal = Module:Goal1,
        dcg_body(Body1, S0, S, Goal1)
    ;   Body = (_ --> _) ->
        throw(error(permission_error(define, dcg_nonterminal, Body), _))
    ;   Body =.. [Name|Args],
        append(Args, [S0, S], Args1),
        Goal =.. [Name|Args1]
    ).

/* ------------------------------------------------------------------ *
 *  Lambda expressions
 * ------------------------------------------------------------------ */

%! >>(+Params, :Lambda)  Calls a copy of Lambda; Params is a list or {Shared}/List, where the variables of Shared are not copied.
'>>'(Params, Lambda) :-
    lambda_call(Params, Lambda, []).

%! >>(+Params, :Lambda, ?A1)  Calls a copy of Lambda with the first of Params bound to A1.
'>>'(Params, Lambda, A1) :-
    lambda_call(Params, Lambda, [A1]).

%! >>(+Params, :Lambda, ?A1, ?A2)  As >>/3, with two arguments; those beyond Params are added to Lambda.
'>>'(Params, Lambda, A1, A2) :-
    lambda_call(Params, Lambda, [A1, A2]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3)  As >>/4, with three arguments.
'>>'(Params, Lambda, A1, A2, A3) :-
    lambda_call(Params, Lambda, [A1, A2, A3]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3, ?A4)  As >>/4, with four arguments.
'>>'(Params, Lambda, A1, A2, A3, A4) :-
    lambda_call(Params, Lambda, [A1, A2, A3, A4]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5)  As >>/4, with five arguments.
'>>'(Params, Lambda, A1, A2, A3, A4, A5) :-
    lambda_call(Params, Lambda, [A1, A2, A3, A4, A5]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6)  As >>/4, with six arguments.
'>>'(Params, Lambda, A1, A2, A3, A4, A5, A6) :-
    lambda_call(Params, Lambda, [A1, A2, A3, A4, A5, A6]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7)  As >>/4, with seven arguments.
'>>'(Params, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    lambda_call(Params, Lambda, [A1, A2, A3, A4, A5, A6, A7]).

lambda_call(Params, Lambda, Args) :-
    lambda_copy(Params, Lambda, ParamsCopy, LambdaCopy),
    lambda_bind(ParamsCopy, Args, Extra, Params>>Lambda),
    lambda_call_extra(Extra, LambdaCopy).

lambda_copy(Params, Lambda, ParamsCopy, LambdaCopy) :-
    (   var(Params) -> throw(error(instantiation_error, _))
    ;   Params = Shared/List ->
        lambda_shared(Shared),
        must_be(list, List),
        '$copy_lambda'(Shared/List>>Lambda, Shared/ParamsCopy>>LambdaCopy)
    ;   must_be(list, Params),
        '$copy_lambda'(Params>>Lambda, ParamsCopy>>LambdaCopy)
    ).

lambda_shared(Shared) :-
    (   var(Shared) -> throw(error(instantiation_error, _))
    ;   Shared = {_} -> true
    ;   Shared == {} -> true
    ;   throw(error(type_error(lambda_free, Shared), _))
    ).

% Extra is the arguments beyond the parameters.
lambda_bind([], Extra, Extra, _).
lambda_bind([Param|Params], Args, Extra, Lambda) :-
    (   Args = [Arg|Args1] ->
        Param = Arg,
        lambda_bind(Params, Args1, Extra, Lambda)
    ;   throw(error(domain_error(lambda_parameters, Lambda), _))
    ).

lambda_call_extra([], Lambda) :-
    call(Lambda).
lambda_call_extra([Arg|Args], Lambda) :-
    Goal =.. [call, Lambda, Arg|Args],
    call(Goal).

%! /(+Shared, :Lambda)  Calls a copy of Lambda in which only the variables of Shared, a term {X, ...}, are not renamed.
'/'(Shared, Lambda) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy).

%! /(+Shared, :Lambda, ?A1)  As //2, with one argument added to Lambda.
'/'(Shared, Lambda, A1) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1).

%! /(+Shared, :Lambda, ?A1, ?A2)  As //2, with two arguments added.
'/'(Shared, Lambda, A1, A2) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3)  As //2, with three arguments added.
'/'(Shared, Lambda, A1, A2, A3) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3, ?A4)  As //2, with four arguments added.
'/'(Shared, Lambda, A1, A2, A3, A4) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3, A4).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5)  As //2, with five arguments added.
'/'(Shared, Lambda, A1, A2, A3, A4, A5) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3, A4, A5).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6)  As //2, with six arguments added.
'/'(Shared, Lambda, A1, A2, A3, A4, A5, A6) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3, A4, A5, A6).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7)  As //2, with seven arguments added.
'/'(Shared, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3, A4, A5, A6, A7).

/* ------------------------------------------------------------------ *
 *  bagof/3 and setof/3
 * ------------------------------------------------------------------ */

%! bagof(+Template, :Goal, -Bag)  Bag holds the Template of every solution, for each value of the free variables.
bagof(Template, Goal0, Bag) :-
    '$free_variables'(Template^Goal0, Goal, Witness),
    (   Witness == v
    ->  findall(Template, Goal, Bag0),
        Bag0 = [_|_],
        Bag = Bag0
    ;   findall(Witness-Template, Goal, Answers),
        Answers = [_|_],
        keysort(Answers, Sorted),
        bag_groups(Sorted, Witness, Bag)
    ).

% The answers whose witness is a variant of the first make one bag; sorting
% brings ground ones together, others may stand anywhere.
bag_groups([Key-Item|Answers], Witness, Bag) :-
    bag_split(Answers, Key, Items, Rest),
    (   Rest == []
    ->  Witness = Key,
        Bag = [Item|Items]
    ;   (   Witness = Key,
            Bag = [Item|Items]
        ;   bag_groups(Rest, Witness, Bag)
        )
    ).

bag_split([], _, [], []).
bag_split([Key1-Item|Answers], Key, Items, Rest) :-
    (   Key1 =@= Key
    ->  Key1 = Key,
        Items = [Item|Items1],
        bag_split(Answers, Key, Items1, Rest)
    ;   ground(Key)
    ->  Items = [],
        Rest = [Key1-Item|Answers]
    ;   Rest = [Key1-Item|Rest1],
        bag_split(Answers, Key, Items, Rest1)
    ).

%! setof(+Template, :Goal, -Set)  As bagof/3, each set sorted and without repetitions.
setof(Template, Goal, Set) :-
    bagof(Template, Goal, Bag),
    sort(Bag, Set).

%! repeat  Succeeds again and again.
repeat.
repeat :-
    repeat.

%! ^(?Variables, :Goal)  Outside bagof/3 and setof/3, just Goal.
'^'(_, Goal) :-
    call(Goal).

/* ------------------------------------------------------------------ *
 *  Everything that can be reached
 * ------------------------------------------------------------------ */

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
