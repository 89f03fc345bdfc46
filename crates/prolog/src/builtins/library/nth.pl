:- module(nth,
          [ nth0/3, nth1/3, nth0/4, nth1/4
          ]).

% Elements of lists by their numbers.

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
    ;   integer(Index), Index >= 0 -> nth_at_rest(Index, List, Elem, Rest)
    ;   must_be(nonneg, Index),
        fail
    ).

%! nth1(?Index, ?List, ?Elem, ?Rest)  As nth1/3; Rest is List without that element.
nth1(Index, List, Elem, Rest) :-
    (   var(Index) -> nth_any_rest(List, 1, Index, Elem, Rest)
    ;   integer(Index), Index >= 1 ->
        Skip is Index - 1,
        nth_at_rest(Skip, List, Elem, Rest)
    ;   must_be(positive_integer, Index),
        fail
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
