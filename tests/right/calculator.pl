% DCG calculator
expr(V) --> term(T), rest(T, V).
rest(A, V) --> "+", !, term(T), { B is A + T }, rest(B, V).
rest(A, V) --> "-", !, term(T), { B is A - T }, rest(B, V).
rest(V, V) --> [].
term(V) --> digits(Ds), { number_codes(V, Ds) }.
digits([D|Ds]) --> [D], { D >= 0'0, D =< 0'9 }, more(Ds).
more([D|Ds]) --> [D], { D >= 0'0, D =< 0'9 }, !, more(Ds).
more([]) --> [].
calc(A, V) :- atom_codes(A, C), phrase(expr(V), C).
