:- module(sums,
          [ sum_list/2, sumlist/2, max_list/2, min_list/2, max_member/2, min_member/2
          ]).

% Sums of lists of numbers, and the greatest and least element of a list.

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
