% gives: A0311
% What the library makes of a list is known: the pairs are turned round by a helper of foldl/4.
initial(p(max, [a-1, b-2])).
max_to_move(p(max, _)).
move(p(S, L), K, p(T, M)) :- select(K-N, L, R), N > 0, J is N - 1, foldl(put(K), R, [K-J], M), other(S, T).
outcome(p(max, L), win(min)) :- \+ ( member(_-N, L), N > 1 ).
outcome(p(min, L), win(max)) :- \+ ( member(_-N, L), N > 1 ).
show(p(_, L), Lines) :- findall(Line, ( member(K-N, L), N > 0, format(atom(Line), '~w ~w', [K, N]) ), Lines).
static_eval(p(_, L), V) :- findall(N, member(_-N, L), Ns), sum_list(Ns, V).
put(_, K-N, L, [N/K|L]).
other(max, min).
other(min, max).
