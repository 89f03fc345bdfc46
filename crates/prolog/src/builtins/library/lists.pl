:- module(lists,
          [ prefix/2, same_length/2, proper_length/2, nextto/3, is_set/1, subset/2, selectchk/4,
            clumped/2, max_member/3, min_member/3, group_pairs_by_key/2, map_list_to_pairs/3,
            transpose_pairs/2, scanl/4, scanl/5, scanl/6, scanl/7
          ]).

:- meta_predicate max_member(2, ?, ?), min_member(2, ?, ?),
       map_list_to_pairs(2, ?, ?), scanl(3, ?, ?, ?), scanl(4, ?, ?, ?, ?), scanl(5, ?, ?, ?, ?, ?),
       scanl(6, ?, ?, ?, ?, ?, ?).

% The rarer predicates of library(lists) and library(pairs).

%! prefix(?Part, ?Whole)  Part is the beginning of Whole.
prefix([], _).
prefix([X|Part], [X|Whole]) :-
    prefix(Part, Whole).

%! same_length(?Xs, ?Ys)  Both lists have the same number of elements.
same_length(Xs, Ys) :-
    guide(Xs, Ys, Guide),
    same_length_by(Guide, Xs, Ys).

same_length_by([], [], []).
same_length_by([_|_], [_|Xs], [_|Ys]) :-
    guide(Xs, Ys, Guide),
    same_length_by(Guide, Xs, Ys).

%! proper_length(@List, ?Length)  As length/2; fails if List is no proper list.
proper_length(List, Length) :-
    is_list(List),
    length(List, Length0),
    Length = Length0.

%! nextto(?X, ?Y, ?List)  Y follows X in List.
nextto(X, Y, [A, B|Rest]) :-
    nextto_in(Rest, A, B, X, Y).

nextto_in(_, X, Y, X, Y).
nextto_in([C|Rest], _, B, X, Y) :-
    nextto_in(Rest, B, C, X, Y).

%! is_set(@List)  List is a proper list without two identical (==) elements.
is_set(List) :-
    is_list(List),
    length(List, Length),
    sort(List, Set),
    length(Set, Length).

%! subset(+Xs, +Ys)  Every element of Xs is a member of Ys.
subset(Xs, Ys) :-
    (   Xs == [] -> true
    ;   nonvar(Xs), Xs = [X|Rest] ->
        memberchk(X, Ys),
        subset(Rest, Ys)
    ;   no_rule(lists, subset(Xs, Ys))
    ).

%! selectchk(?X, ?Xs, ?Y, ?Ys)  As select/4, but only the first match is taken.
selectchk(X, Xs, Y, Ys) :-
    once(select(X, Xs, Y, Ys)).

%! clumped(+List, -Pairs)  Pairs holds X-N for every run of N identical (==) elements X of List.
clumped([], []).
clumped([X|Xs], [X-N|Pairs]) :-
    run_of(Xs, X, 1, N, Rest),
    clumped(Rest, Pairs).

run_of([Y|Ys], X, N0, N, Rest) :-
    X == Y,
    !,
    N1 is N0 + 1,
    run_of(Ys, X, N1, N, Rest).
run_of(Rest, _, N, N, Rest).

%! max_member(:Order, -Max, +List)  Max is the first of the greatest elements, where call(Order, X, Y) says that X is not after Y.
max_member(Order, Max, List) :-
    (   nonvar(List), List = [X|Xs] -> max_member_by(Xs, Order, X, Max)
    ;   List == [] -> fail
    ;   no_rule(lists, max_member(Order, Max, List))
    ).

max_member_by(List, Order, Max0, Max) :-
    (   nonvar(List), List = [X|Xs] ->
        (   call(Order, X, Max0) -> max_member_by(Xs, Order, Max0, Max)
        ;   max_member_by(Xs, Order, X, Max)
        )
    ;   List == [] -> Max = Max0
    ;   no_rule(lists, max_member_(List, Max0, Order, Max))
    ).

%! min_member(:Order, -Min, +List)  Min is the first of the least elements, where call(Order, X, Y) says that X is not after Y.
min_member(Order, Min, List) :-
    (   nonvar(List), List = [X|Xs] -> min_member_by(Xs, Order, X, Min)
    ;   List == [] -> fail
    ;   no_rule(lists, min_member(Order, Min, List))
    ).

min_member_by(List, Order, Min0, Min) :-
    (   nonvar(List), List = [X|Xs] ->
        (   call(Order, Min0, X) -> min_member_by(Xs, Order, Min0, Min)
        ;   min_member_by(Xs, Order, X, Min)
        )
    ;   List == [] -> Min = Min0
    ;   no_rule(lists, min_member_(List, Min0, Order, Min))
    ).

/* ------------------------------------------------------------------ *
 *  Pairs
 * ------------------------------------------------------------------ */

%! group_pairs_by_key(+Pairs, -Groups)  Groups holds K-Values for every run of pairs with an identical (==) key K.
group_pairs_by_key([], []).
group_pairs_by_key([K-V|Pairs], [K-[V|Values]|Groups]) :-
    values_of_key(Pairs, K, Values, Rest),
    group_pairs_by_key(Rest, Groups).

values_of_key([K1-V|Pairs], K, [V|Values], Rest) :-
    K1 == K,
    !,
    values_of_key(Pairs, K, Values, Rest).
values_of_key(Rest, _, [], Rest).

%! map_list_to_pairs(:Goal, +List, -Pairs)  Pairs holds K-X for each X of List, where call(Goal, X, K).
map_list_to_pairs(Goal, List, Pairs) :-
    list_to_pairs(List, Goal, Pairs).

list_to_pairs([], _, []).
list_to_pairs([X|Xs], Goal, [K-X|Pairs]) :-
    call(Goal, X, K),
    list_to_pairs(Xs, Goal, Pairs).

%! transpose_pairs(+Pairs, -Transposed)  Transposed holds V-K for each K-V of Pairs, sorted by V.
transpose_pairs(Pairs, Transposed) :-
    flip_pairs(Pairs, Flipped),
    keysort(Flipped, Transposed).

flip_pairs([], []).
flip_pairs([K-V|Pairs], [V-K|Flipped]) :-
    flip_pairs(Pairs, Flipped).

/* ------------------------------------------------------------------ *
 *  Folding with every value on the way
 * ------------------------------------------------------------------ */

%! scanl(:Goal, +List, +V0, -Values)  As foldl/4; Values holds V0 and the value after each element.
scanl(Goal, As, V0, [V0|Values]) :-
    scanl_1(As, Goal, V0, Values).

scanl_1([], _, _, []).
scanl_1([A|As], Goal, V0, [V|Values]) :-
    call(Goal, A, V0, V),
    scanl_1(As, Goal, V, Values).

%! scanl(:Goal, +As, +Bs, +V0, -Values)  As scanl/4, for two lists in step.
scanl(Goal, As, Bs, V0, [V0|Values]) :-
    scanl_2(As, Bs, Goal, V0, Values).

scanl_2([], [], _, _, []).
scanl_2([A|As], [B|Bs], Goal, V0, [V|Values]) :-
    call(Goal, A, B, V0, V),
    scanl_2(As, Bs, Goal, V, Values).

%! scanl(:Goal, +As, +Bs, +Cs, +V0, -Values)  As scanl/4, for three lists in step.
scanl(Goal, As, Bs, Cs, V0, [V0|Values]) :-
    scanl_3(As, Bs, Cs, Goal, V0, Values).

scanl_3([], [], [], _, _, []).
scanl_3([A|As], [B|Bs], [C|Cs], Goal, V0, [V|Values]) :-
    call(Goal, A, B, C, V0, V),
    scanl_3(As, Bs, Cs, Goal, V, Values).

%! scanl(:Goal, +As, +Bs, +Cs, +Ds, +V0, -Values)  As scanl/4, for four lists in step.
scanl(Goal, As, Bs, Cs, Ds, V0, [V0|Values]) :-
    scanl_4(As, Bs, Cs, Ds, Goal, V0, Values).

scanl_4([], [], [], [], _, _, []).
scanl_4([A|As], [B|Bs], [C|Cs], [D|Ds], Goal, V0, [V|Values]) :-
    call(Goal, A, B, C, D, V0, V),
    scanl_4(As, Bs, Cs, Ds, Goal, V, Values).
