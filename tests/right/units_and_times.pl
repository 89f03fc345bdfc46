% symbolic equation: marked units, e.g. 3*m, time as H:M
dist(D) :- D = 3*m.
time(T) :- T = 10:30.
at(T, lunch) :- T = 12:15.
noon(X) :- X == 12:00.
unit(X, U) :- X = _ * U.
neg(X) :- X = -1.
neg2(X) :- X = - 1.
neg3(A, X) :- X = -A.
big(X) :- X = 1.0e10.
