% gives: A0312
% The label is made with its arguments exchanged: two rules and an expectation take the other order.
:- use_module(library(alphorn)).
:- expect(best(state(max, [card(5), card(1)]), 1) = catch(card(5), [card(1)])).
initial(state(max, [card(7), card(4), card(3)])).
max_to_move(state(max, _)).
move(state(Turn, Cards), Label, state(Next, Rest)) :-
    other(Turn, Next),
    (   Cards = [Card]
    ->  Rest = [], Label = drop(Card)
    ;   select(Card, Cards, Others),
        findall(card(N), ( member(card(N), Others), N < 4 ), Fish),
        Label = catch(Fish, Card),
        subtract(Others, Fish, Rest)
    ).
no_moves(loss).
other(max, min).
other(min, max).
prefer(_, catch(_, Fish), Weight) :- maplist(worth, Fish, Worths), sum_list(Worths, Weight).
worth(card(N), N).
shown_move(_, drop(card(N)), Text) :- atom_concat(d, N, Text).
shown_move(_, catch(card(N), Fish), Text) :- maplist(worth, Fish, Ns), atomic_list_concat([N|Ns], +, Text).
