:- module(sets, [list_to_set/2, subtract/3, intersection/3, union/3]).

% Lists as sets: nothing is sorted.

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
