:- module(prelude,
          [ append/3, append/2, member/2, memberchk/2, nth0/3, nth1/3, nth0/4, nth1/4, reverse/2,
            last/2, permutation/2, select/3, select/4, selectchk/3, delete/3, flatten/2, repeat/0,
            apply/2
          ]).

% The predicates of the library that are always loaded. The others are in library/.
%
% Two habits recur below.
%
%   - A loop is given as its first argument a list whose shape is known, so
%     that indexing on the first argument picks one clause.  Where any of
%     several lists may be the known one, the loop takes an extra first
%     argument, a "guide": the first of those lists that is not a variable.
%
%   - Where the reference system has single-sided rules, a list that is
%     neither [] nor [_|_] is an error and is not bound: see no_rule/2.

/* ------------------------------------------------------------------ *
 *  Errors
 * ------------------------------------------------------------------ */

no_rule(Library, Goal) :-
    throw(error(existence_error(matching_rule, Library:Goal), _)).

/* ------------------------------------------------------------------ *
 *  Guides: the first list that is not a variable, else the last one
 * ------------------------------------------------------------------ */

guide(A, B, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   Guide = B
    ).

guide(A, B, C, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   nonvar(B) -> Guide = B
    ;   Guide = C
    ).

guide(A, B, C, D, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   nonvar(B) -> Guide = B
    ;   nonvar(C) -> Guide = C
    ;   Guide = D
    ).

guide(A, B, C, D, E, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   guide(B, C, D, E, Guide)
    ).

guide(A, B, C, D, E, F, Guide) :-
    (   nonvar(A) -> Guide = A
    ;   guide(B, C, D, E, F, Guide)
    ).

/* ------------------------------------------------------------------ *
 *  Lists
 * ------------------------------------------------------------------ */

%! append(?Xs, ?Ys, ?Zs)  Zs is Xs followed by Ys.
append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

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

%! member(?X, ?List)  X is an element of List.
member(X, [Y|Ys]) :-
    member_of_rest(Ys, X, Y).

member_of_rest(_, X, X).
member_of_rest([Y|Ys], X, _) :-
    member_of_rest(Ys, X, Y).

%! memberchk(?X, ?List)  X is an element of List; only the first match is taken.
memberchk(X, List) :-
    (   var(List) -> List = [X|_]
    ;   List = [Y|Ys] ->
        (   X = Y -> true
        ;   memberchk(X, Ys)
        )
    ;   List == [] -> fail
    ;   throw(error(type_error(list, List), _))
    ).

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
    ;   must_be(nonneg, Index),
        nth_at_rest(Index, List, Elem, Rest)
    ).

%! nth1(?Index, ?List, ?Elem, ?Rest)  As nth1/3; Rest is List without that element.
nth1(Index, List, Elem, Rest) :-
    (   var(Index) -> nth_any_rest(List, 1, Index, Elem, Rest)
    ;   must_be(positive_integer, Index),
        Skip is Index - 1,
        nth_at_rest(Skip, List, Elem, Rest)
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

%! reverse(?Xs, ?Ys)  Ys is the elements of Xs in reverse order.
reverse(Xs, Ys) :-
    (   '$ground'(Xs) ->
        reverse_ground(Xs, [], Zs),
        Ys = Zs
    ;   guide(Xs, Ys, Guide),
        reverse_onto(Guide, Xs, Ys, [], Ys)
    ).

reverse_ground([], Ys, Ys).
reverse_ground([X|Xs], Done, Ys) :-
    reverse_ground(Xs, [X|Done], Ys).

% The third argument grows or shrinks in step with Xs, so that a list Ys
% of known length ends the search when Xs is partial.
reverse_onto([], [], [], Ys, Ys).
reverse_onto([_|_], [X|Xs], [_|Bound], Done, Ys) :-
    guide(Xs, Bound, Guide),
    reverse_onto(Guide, Xs, Bound, [X|Done], Ys).

%! last(?List, ?Last)  Last is the last element of List.
last([X|Xs], Last) :-
    last_of_rest(Xs, X, Last).

last_of_rest([], Last, Last).
last_of_rest([X|Xs], _, Last) :-
    last_of_rest(Xs, X, Last).

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

% Length counts the cells of List, Tail is what stands after the last one.
list_shape(List, Length0, Length, Tail) :-
    (   nonvar(List), List = [_|Rest] ->
        Length1 is Length0 + 1,
        list_shape(Rest, Length1, Length, Tail)
    ;   Length = Length0,
        Tail = List
    ).

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

/* ------------------------------------------------------------------ *
 *  Calling
 * ------------------------------------------------------------------ */

%! apply(:Goal, +Args)  Calls Goal with the elements of the list Args added to its arguments.
apply(Goal, Extra) :-
    must_be(callable, Goal),
    Goal =.. [Name|Args0],
    append(Args0, Extra, Args),
    must_be(list, Args),
    Goal1 =.. [Name|Args],
    call(Goal1).

%! repeat  Succeeds again and again.
repeat.
repeat :-
    repeat.
