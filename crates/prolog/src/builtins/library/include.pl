:- module(include,
          [ include/3, exclude/3, partition/4
          ]).

:- meta_predicate include(1, ?, ?), exclude(1, ?, ?), partition(1, ?, ?, ?).

% The elements for which a goal succeeds.

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
