:- module(ordsets,
          [ is_ordset/1, ord_empty/1, ord_seteq/2, ord_subset/2, ord_disjoint/2, ord_intersect/2,
            ord_intersect/3, ord_intersection/2, ord_intersection/3, ord_intersection/4,
            ord_selectchk/3, ord_symdiff/3, ord_union/2, ord_union/4
          ]).

% Ordered sets: sorted lists without duplicates.  The commoner ones stand in
% the prelude.

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
