:- module(select,
          [ select/3, select/4, selectchk/3
          ]).

% Lists without one of their elements, or with another one in its place.

%! select(?X, ?List, ?Rest)  Rest is List with one occurrence of X taken out.
select(X, [Y|Ys], Rest) :-
    select_from_rest(Ys, Y, X, Rest).

select_from_rest(Ys, X, X, Ys).
select_from_rest([Y|Ys], Z, X, [Z|Rest]) :-
    select_from_rest(Ys, Y, X, Rest).

%! select(?X, ?Xs, ?Y, ?Ys)  Ys is Xs with one occurrence of X replaced by Y.
select(X, Xs, Y, Ys) :-
    select_replace(Xs, X, Y, Ys).

select_replace([X|Rest], X, Y, [Y|Rest]).
select_replace([Z|Xs], X, Y, [Z|Ys]) :-
    select_replace(Xs, X, Y, Ys).

%! selectchk(?X, ?List, ?Rest)  As select/3, but only the first match is taken.
selectchk(X, List, Rest) :-
    once(select(X, List, Rest0)),
    Rest = Rest0.
