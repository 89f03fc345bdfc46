% arithmetic with constants
c(X) :- X is pi * 2.
e1(X) :- X is e ** 2.
m(X) :- X is max(3, 4) + abs(-3) + sign(-2) + gcd(6,4) + truncate(2.5) + msb(8).
i(X) :- X is inf.
n(X) :- X is nan.
r(X) :- X is random(10).
cp(X) :- X is cputime.
ch(X) :- X is "a" + 0.
ch2(X) :- X is 0'a + 0.
l(X) :- X is [3].
mi(X) :- X is max_tagged_integer.
eps(X) :- X is epsilon.
