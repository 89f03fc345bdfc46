% gives: A0312
:- use_module(library(alphorn)).
:- expect(best(hide(max, []), 1) = guess(crown, owl)).
initial(hide(max, [])).
max_to_move(hide(max, _)).
mask(wolf).
mask(owl).
role(crown).
role(guard).
other(max, min).
other(min, max).
move(hide(Who, Said), guess(Mask, Role), hide(Other, [Mask-Role|Said])) :-
    other(Who, Other),
    mask(Mask),
    role(Role),
    \+ memberchk(Mask-Role, Said).
outcome(hide(Who, _), win(Winner)) :- other(Who, Winner).
acyclic.
