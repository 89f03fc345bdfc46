% gives: A0309
% foldl/4 calls its closure with the element first, so the head of count/3 is wrong, not the goal.
:- use_module(library(alphorn)).
initial(state(max, [pile(3), pile(4)])).
max_to_move(state(max, _)).
move(state(Turn, Piles), take(N), state(Next, Rest)) :-
    other(Turn, Next),
    select(pile(N), Piles, Rest).
terminal(state(_, [])).
other(max, min).
other(min, max).
outcome(_, draw).
static_eval(state(_, Piles), Sum) :- foldl(count, Piles, 0, Sum).
count(Sum0, pile(N), Sum) :- Sum is Sum0 + N.
