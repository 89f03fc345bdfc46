:- module(elements,
          [ append/2, last/2, delete/3, flatten/2
          ]).

% Lists as wholes: lists of lists, the last element, the elements that do not unify.

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

%! last(?List, ?Last)  Last is the last element of List.
last([X|Xs], Last) :-
    last_of_rest(Xs, X, Last).

last_of_rest([], Last, Last).
last_of_rest([X|Xs], _, Last) :-
    last_of_rest(Xs, X, Last).

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
