% streams: infinite generator used with a cut by caller
nat(N) :- nat(0, N).
nat(N, N).
nat(I, N) :- J is I + 1, nat(J, N).
first(N) :- nat(N), N * N > 50, !.
