% arithmetic words
angle(X) :- X is cos(pi) + e + inf.
r(X) :- X is random_float.
s(X) :- X is cot(1.0) + asinh(1.0) + copysign(1,-2) + trig.
trig(1).
b(X) :- X is 5 xor 3 + (7 /\ 2) + (1 << 3) + \ 2 + popcount(7) + 7 rdiv 2.
c(X) :- X = "5", number_codes(Y, "5"), Y > 3.
d(L, X) :- L = [a], X is L.
t(X) :- X is trunc(3.7) + integer(2.5) + cmpflags.
