% gives: A0312
% prefer/3 takes the card of the label for the caught cards.
:- use_module(library(alphorn)).
initial(state(max, [card(7), card(4), card(3)])).
max_to_move(state(max, _)).
move(state(Turn, Cards), catch(Card, Fish), state(Next, Rest)) :-
    other(Turn, Next),
    select(Card, Cards, Others),
    findall(card(N), ( member(card(N), Others), N < 4 ), Fish),
    subtract(Others, Fish, Rest).
no_moves(loss).
other(max, min).
other(min, max).
prefer(_, catch(Fish, _), Weight) :- maplist(worth, Fish, Worths), sum_list(Worths, Weight).
worth(card(N), N).
shown_move(_, catch(card(N), Fish), Text) :- maplist(worth, Fish, Ns), atomic_list_concat([N|Ns], +, Text).
