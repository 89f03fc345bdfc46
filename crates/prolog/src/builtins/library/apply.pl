:- module(apply,
          [ partition/5, convlist/3, predsort/3, sublist/3, checklist/2
          ]).

:- meta_predicate partition(2, ?, ?, ?, ?), convlist(2, ?, ?), predsort(3, ?, ?), sublist(1, ?, ?), checklist(1, ?).

% The rarer predicates that call a goal for the elements of lists.

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
