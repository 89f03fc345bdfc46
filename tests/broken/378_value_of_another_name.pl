% A name in a table is not the name that the moves use; only the picture and the notation use the table.
% code: A0309
% at: 31:9
% help: did you mean middle?
% mend 31: |name_of(middle, 'M').
% Two piles and a middle one. Nobody may take from the pile that was used last.
:- use_module(library(alphorn)).
:- expect(perft(1) = 5).
:- expect(value(coins(max, [0,1,0], left)) = win(max)).
initial(coins(max, [2,1,2], none)).
max_to_move(coins(max, _, _)).
move(coins(Side, Piles, Last), take(Pile, K), coins(Other, New, Pile)) :-
    other(Side, Other),
    pile(Pile, I),
    Pile \== Last,
    nth1(I, Piles, Coins, Rest),
    between(1, Coins, K),
    Left is Coins - K,
    nth1(I, New, Left, Rest).
pile(left, 1).
pile(middle, 2).
pile(right, 3).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
show(coins(_, Piles, Last), [Line]) :- name_of(Last, Name), format(atom(Line), "~w, last ~w", [Piles, Name]).
shown_move(_, take(Pile, K), Text) :- name_of(Pile, Name), format(atom(Text), "~w~d", [Name, K]).
name_of(none, '-').
name_of(left, 'L').
name_of(center, 'M').
name_of(right, 'R').
