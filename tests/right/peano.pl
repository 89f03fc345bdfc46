% even/odd mutual recursion; Peano
nat(0).
nat(s(X)) :- nat(X).
plus(0, X, X).
plus(s(X), Y, s(Z)) :- plus(X, Y, Z).
even(0).
even(s(X)) :- odd(X).
odd(s(X)) :- even(X).
never :- fail.
