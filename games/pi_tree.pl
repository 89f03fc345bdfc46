% A ternary tree of height 4 whose 81 leaves are the first digits of pi.  Its value
% is 2; alpha-beta without deep cut-offs reads 36 leaves, with them 31.
% Source: D. Knuth, R. Moore, An Analysis of Alpha-Beta Pruning, 1975.

:- use_module(library(alphorn)).

:- expect(perft(4) = 81).
:- expect(value = 2).
:- expect(best(node(1, 2), 3) = 2).
:- expect(value(node(1, 0)) = 2).
:- expect(value(node(2, 1)) = 7).
:- expect(value(node(2, 5)) = 3).
:- expect(value(node(2, 8)) = 8).

% node(Depth, I): the nodes of one depth are numbered from 0, left to right.
initial(node(0, 0)).

% The leaves are worth what they say to the player to move there: MAX, as at the root.
max_to_move(node(0, _)).
max_to_move(node(2, _)).
max_to_move(node(4, _)).

move(node(Depth, I), Branch, node(Depth1, J)) :-
    Depth < 4,
    Depth1 is Depth + 1,
    between(1, 3, Branch),
    J is 3 * I + Branch - 1.

terminal(node(4, _)).

static_eval(node(Depth, I), Value) :-
    (   Depth =:= 4
    ->  digits(Digits),
        N is I + 1,
        arg(N, Digits, Value)
    ;   Value = 0
    ).

value_range(0, 9).
acyclic.

digits(pi(
    3,1,4, 1,5,9, 2,6,5,  3,5,8, 9,7,9, 3,2,3,  8,4,6, 2,6,4, 3,3,8,
    3,2,7, 9,5,0, 2,8,8,  4,1,9, 7,1,6, 9,3,9,  9,3,7, 5,1,0, 5,8,2,
    0,9,7, 4,9,4, 4,5,9,  2,3,0, 7,8,1, 6,4,0,  6,2,8, 6,2,0, 8,9,9)).

show(node(Depth, I), [Line]) :-
    static_eval(node(Depth, I), Value),
    (   Depth =:= 4
    ->  atomic_list_concat(['leaf ', I, ', digit ', Value], Line)
    ;   atomic_list_concat(['node ', I, ' of depth ', Depth], Line)
    ).
