% A tree of eight leaves: MAX moves at a and d..g, MIN at b and c.
% Source: I. Bratko, Prolog Programming for Artificial Intelligence, figure 15.2.
%
%                     a
%            b                 c
%        d       e         f       g
%      h   i   j   k     l   m   n   o
%      1   4   5   6     2   1   1   1

:- use_module(library(alphorn)).

:- expect(perft(3) = 8).
:- expect(value = 4).
:- expect(value(b) = 4).
:- expect(value(c) = 1).
:- expect(value(f) = 2).
:- expect(best(a, 3) = b).

initial(a).

moves(a, [b, c]).
moves(b, [d, e]).
moves(c, [f, g]).
moves(d, [h, i]).
moves(e, [j, k]).
moves(f, [l, m]).
moves(g, [n, o]).

max_to_move(a).
max_to_move(d).
max_to_move(e).
max_to_move(f).
max_to_move(g).

terminal(Leaf) :-
    leaf(Leaf, _).

% Only the leaves have a value of their own; elsewhere 0 says "not known".
static_eval(Pos, Value) :-
    (   leaf(Pos, Leaf)
    ->  Value = Leaf
    ;   Value = 0
    ).

value_range(0, 6).
acyclic.

leaf(h, 1).
leaf(i, 4).
leaf(j, 5).
leaf(k, 6).
leaf(l, 2).
leaf(m, 1).
leaf(n, 1).
leaf(o, 1).

show(Pos, [Line]) :-
    (   leaf(Pos, Value)
    ->  atomic_list_concat(['leaf ', Pos, ', value ', Value], Line)
    ;   moves(Pos, Next),
        atomic_list_concat(Next, ' or ', Choice),
        atomic_list_concat(['node ', Pos, ', then ', Choice], Line)
    ).
