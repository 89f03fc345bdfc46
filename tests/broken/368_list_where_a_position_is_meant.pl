% The functor of the next position is forgotten.
% code: A0311
% at: 12:25
% help: s(_)
% mend 12: |move(s(Facts), take(K), s(Next)) :-
% Nim with one heap. A position is a list of facts: what is left, and whose turn it is.
:- use_module(library(alphorn)).
:- expect(value = win(max)).
:- expect(value(s([left(3), turn(max)])) = win(min)).
initial(s([left(5), turn(max)])).
max_to_move(s(Facts)) :- memberchk(turn(max), Facts).
move(s(Facts), take(K), Next) :-
    memberchk(left(N), Facts),
    between(1, 2, K),
    K =< N,
    M is N - K,
    change(Facts, left(N), left(M), Next).
change(Facts, Old, New, Next) :-
    memberchk(turn(Side), Facts),
    other(Side, Other),
    subtract(Facts, [Old, turn(Side)], Rest),
    sort([turn(Other), New|Rest], Next).
no_moves(loss).
acyclic.
other(max, min).
other(min, max).
