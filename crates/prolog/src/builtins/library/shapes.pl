:- module(shapes, []).

% What other parts ask of lists that may be partial.

% The first argument of a loop is a list whose shape is known, so that indexing on the first argument picks
% one clause.  Where any of several lists may be the known one, the loop takes an extra first argument, a
% guide: the first of those lists that is not a variable, else the last one.

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

% Length counts the cells of List, Tail is what stands after the last one.
list_shape(List, Length0, Length, Tail) :-
    (   nonvar(List), List = [_|Rest] ->
        Length1 is Length0 + 1,
        list_shape(Rest, Length1, Length, Tail)
    ;   Length = Length0,
        Tail = List
    ).
