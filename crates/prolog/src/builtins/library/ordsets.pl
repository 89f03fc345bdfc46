:- module(ordsets,
          [ list_to_ord_set/2, ord_union/3, ord_subtract/3, ord_memberchk/2, ord_add_element/3,
            ord_del_element/3, is_ordset/1, ord_empty/1, ord_seteq/2, ord_subset/2, ord_disjoint/2,
            ord_intersect/2, ord_intersect/3, ord_intersection/2, ord_intersection/3,
            ord_intersection/4, ord_selectchk/3, ord_symdiff/3, ord_union/2, ord_union/4
          ]).

% Ordered sets: sorted lists without duplicates.

%! is_ordset(@Term)  Term is a list in the standard order without duplicates.
is_ordset(Term) :-
    is_list(Term),
    is_ordered(Term).

is_ordered([]).
is_ordered([X|Xs]) :-
    is_ordered_after(Xs, X).

is_ordered_after([], _).
is_ordered_after([Y|Ys], X) :-
    X @< Y,
    is_ordered_after(Ys, Y).

%! ord_empty(?Set)  Set is empty.
ord_empty([]).

%! ord_seteq(+Xs, +Ys)  Both sets have the same elements.
ord_seteq(Xs, Ys) :-
    Xs == Ys.

%! ord_subset(+Xs, +Ys)  Every element of Xs is in Ys.
ord_subset(Xs, Ys) :-
    ord_subtract(Xs, Ys, Rest),
    Rest == [].

%! ord_disjoint(+Xs, +Ys)  No element is in both sets.
ord_disjoint(Xs, Ys) :-
    \+ ord_intersect(Xs, Ys).

%! ord_intersect(+Xs, +Ys)  Some element is in both sets.
ord_intersect([X|Xs], [Y|Ys]) :-
    compare(Order, X, Y),
    ord_intersect_by(Order, X, Xs, Y, Ys).

ord_intersect_by(<, _, Xs, Y, Ys) :-
    ord_intersect(Xs, [Y|Ys]).
ord_intersect_by(=, _, _, _, _).
ord_intersect_by(>, X, Xs, _, Ys) :-
    ord_intersect([X|Xs], Ys).

%! ord_intersect(+Xs, +Ys, -Zs)  The older name of ord_intersection/3.
ord_intersect(Xs, Ys, Zs) :-
    ord_intersection(Xs, Ys, Zs).

%! ord_intersection(+Sets, -Set)  Set is the elements that are in all Sets, a list that is not empty.
ord_intersection(Sets, Set) :-
    (   Sets == [] -> fail
    ;   nonvar(Sets), Sets = [First|Rest] -> ord_intersection_all(Rest, First, Set)
    ;   no_rule(ordsets, ord_intersection(Sets, Set))
    ).

ord_intersection_all([], Set, Set).
ord_intersection_all([Xs|Sets], Set0, Set) :-
    ord_intersection(Xs, Set0, Set1),
    ord_intersection_all(Sets, Set1, Set).

%! ord_intersection(+Xs, +Ys, -Zs)  Zs is the elements that are in both sets.
ord_intersection([], _, []).
ord_intersection([X|Xs], Ys, Zs) :-
    ord_intersection_with(Ys, X, Xs, Zs).

ord_intersection_with([], _, _, []).
ord_intersection_with([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    ord_intersection_by(Order, X, Xs, Y, Ys, Zs).

ord_intersection_by(<, _, Xs, Y, Ys, Zs) :-
    ord_intersection_with(Xs, Y, Ys, Zs).
ord_intersection_by(=, X, Xs, _, Ys, [X|Zs]) :-
    ord_intersection(Xs, Ys, Zs).
ord_intersection_by(>, X, Xs, _, Ys, Zs) :-
    ord_intersection_with(Ys, X, Xs, Zs).

%! ord_intersection(+Xs, +Ys, -Both, -Rest)  Both is the elements that are in both sets, Rest those of Ys alone.
ord_intersection(Xs, Ys, Both, Rest) :-
    ord_intersection(Xs, Ys, Both0),
    ord_subtract(Ys, Xs, Rest0),
    Both = Both0,
    Rest = Rest0.

%! ord_selectchk(+X, +Set, -Rest)  X is in Set, and Rest is Set without it.
ord_selectchk(X, Set, Rest) :-
    ord_memberchk(X, Set),
    ord_del_element(Set, X, Rest).

%! ord_symdiff(+Xs, +Ys, -Zs)  Zs is the elements that are in one of the sets, but not in both.
ord_symdiff(Xs, Ys, Zs) :-
    ord_subtract(Xs, Ys, Left),
    ord_subtract(Ys, Xs, Right),
    ord_union(Left, Right, Zs).

%! ord_union(+Sets, -Set)  Set is the elements that are in any of Sets.
ord_union(Sets, Set) :-
    append(Sets, List),
    sort(List, Set).

%! ord_union(+Set0, +More, -Set, -New)  Set is the elements of both sets, New those of More that are not in Set0.
ord_union(Set0, More, Set, New) :-
    ord_union(Set0, More, Set1),
    ord_subtract(More, Set0, New1),
    Set = Set1,
    New = New1.

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
