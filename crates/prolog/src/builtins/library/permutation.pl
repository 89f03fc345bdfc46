:- module(permutation,
          [ permutation/2
          ]).

% Lists in other orders.

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
