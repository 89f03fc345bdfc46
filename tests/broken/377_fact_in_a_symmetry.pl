% The functor of a fact is misspelt in the symmetry.
% code: A0309
% at: 24:8
% help: turn((max or min))
% mend 24: |turned(turn(Side), turn(Side)).
% Two men run along a ring of six cells; whoever catches the other one wins. Symmetry turns the ring round.
:- use_module(library(alphorn)).
:- expect(perft(1) = 2).
initial(ring([turn(max), man(max,1), man(min,4)])).
max_to_move(ring(Facts)) :- memberchk(turn(max), Facts).
move(ring(Facts), run(K), ring([turn(Other), man(Side,Cell)|Rest])) :-
    memberchk(turn(Side), Facts),
    other(Side, Other),
    select(man(Side,Own), Facts, Others),
    subtract(Others, [turn(Side)], Rest),
    between(1, 2, K),
    Cell is (Own + K - 1) mod 6 + 1.
terminal(ring(Facts)) :- memberchk(man(max,Cell), Facts), memberchk(man(min,Cell), Facts).
outcome(ring(Facts), win(Winner)) :- memberchk(turn(Side), Facts), other(Side, Winner).
repetition(draw).
other(max, min).
other(min, max).
symmetry(ring(Facts), ring(Image)) :- maplist(turned, Facts, Image).
turned(trun(Side), trun(Side)).
turned(man(Side,Cell), man(Side,New)) :- New is Cell mod 6 + 1.
