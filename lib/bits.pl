% Sets of small numbers as one number: I is a member where bit I is set.  Unions are
% \/, intersections /\, and popcount counts members.

:- module(bits, [
    bit/2,
    reverse_bits/3
]).

%! bit(+Set, -Bit)
%  Enumerates the bits of Set, the lowest first, each as the number 1 << I.
bit(Set, Bit) :-
    Set =\= 0,
    Low is Set /\ -Set,
    (   Bit = Low
    ;   Rest is Set - Low,
        bit(Rest, Bit)
    ).

%! reverse_bits(+Set, +Last, -Image)
%  Image is Set with its bits 0 to Last in reverse order.
reverse_bits(Set, Last, Image) :-
    reverse_bits(Last, Set, 0, Image).

reverse_bits(Left, Set, Image0, Image) :-
    (   Left < 0
    ->  Image = Image0
    ;   Image1 is Image0 << 1 \/ (Set /\ 1),
        Set1 is Set >> 1,
        Left1 is Left - 1,
        reverse_bits(Left1, Set1, Image1, Image)
    ).
