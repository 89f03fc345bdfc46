% a switch that a person edits
mode(easy).
depth(D) :- ( mode(hard) -> D = 6 ; D = 2 ).
depth2(6) :- mode(hard).
depth2(2) :- \+ mode(hard).
wall(3, 4).
free(X, Y) :- \+ wall(X, Y).
blocked :- wall(1, 1).
bonus(X) :- member(X, []).
no(X) :- memberchk(X, [a, b]), X == c.
cnt(N) :- findall(X, mode(hard), L), length(L, N), X = 1.
