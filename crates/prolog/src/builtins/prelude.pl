:- module(prelude,
          [ append/3, member/2, memberchk/2
          ]).

% The predicates of the library that are always loaded. The others are in library/.

% Where the reference system has single-sided rules, a list that is neither [] nor [_|_] is an error and is not
% bound.
no_rule(Library, Goal) :-
    throw(error(existence_error(matching_rule, Library:Goal), _)).

% The goal of catch/3 in the frame of the catch/3, where its form is known when the program is compiled. Positions
% hash by the numbers of atoms, so the name is one that the machine has anyway.
'$frame'(Goal) :-
    call(Goal).

%! append(?Xs, ?Ys, ?Zs)  Zs is Xs followed by Ys.
append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

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
