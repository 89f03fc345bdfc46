% Three piles of coins. A player takes 1 to 3 coins from a pile, but not from the pile that was used last.
% A position is a record [turn=Side, piles=[A,B,C], last=Pile], where Pile is none, left, middle or right.
:- use_module(library(alphorn)).
:- expect(perft(1) = 7).
:- expect(value([turn=max, piles=[0,2,0], last=left]) = win(max)).
:- expect(value([turn=min, piles=[0,0,1], last=right]) = win(max)).
:- expect(best([turn=max, piles=[2,0,0], last=middle], 3) = take(left, 1)).
:- expect(holds(move([turn=max, piles=[2,0,0], last=none], take(left, 1), _))).
:- expect(fails(move([turn=max, piles=[2,0,0], last=left], take(left, 1), _))).
:- expect(holds(sum([turn=max, piles=[2,0,1], last=left], 3))).

initial([turn=max, piles=[2,3,2], last=none]).

max_to_move([turn=max|_]).

next(max, min).
next(min, max).

move([turn=Side, piles=Piles, last=Last], take(Pile, K), [turn=Other, piles=New, last=Pile]) :-
    next(Side, Other),
    pile(Pile, I),
    Pile \== Last,
    between(1, 3, K),
    nth1(I, Piles, Coins, Rest),
    K =< Coins,
    Left is Coins - K,
    nth1(I, New, Left, Rest).

pile(left, 1).
pile(middle, 2).
pile(right, 3).

no_moves(loss).
acyclic.

sum([turn=_, piles=Piles, last=_], Sum) :- sum_list(Piles, Sum).

static_eval(Pos, Value) :-
    Pos = [turn=Side|_],
    sum(Pos, Sum),
    (   Side == max
    ->  Value is Sum mod 4
    ;   Value is -(Sum mod 4)
    ).

show([turn=Side, piles=[A,B,C], last=Last], [First, Second]) :-
    format(atom(First), "~d ~d ~d", [A, B, C]),
    name_of(Last, Name),
    format(atom(Second), "~w to move, last pile: ~w", [Side, Name]).

name_of(none, '-').
name_of(left, 'L').
name_of(middle, 'M').
name_of(right, 'R').

shown_move(_, take(Pile, K), Text) :-
    name_of(Pile, Name),
    format(atom(Text), "~w~d", [Name, K]).
