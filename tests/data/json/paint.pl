% Goals that fail: by a head, by a body, behind a cut, in a branch, or never.
%! colour(?Colour)
%! What there is in the box.
colour(red).
colour(blue).
likes(ann, red).
likes(bob, blue).
paint(X) :- likes(X, C), colour(C), C \== red.
first(X) :- colour(X), !.
first(blue).
dull(X) :- ( X == red -> colour(grey) ; \+ colour(X) ).
count(N) :- findall(C, colour(C), L), length(L, N).
:- table near/2.
near(a, b).
near(X, Y) :- near(X, Z), near(Z, Y).
endless(X) :- same(X, Y), endless(Y).
same(X, X).
