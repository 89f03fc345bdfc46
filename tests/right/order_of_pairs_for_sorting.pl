% A score table: Name-Score, and Score-Name for the best.
initial(s(max, [ann-3, bob-4])).
max_to_move(s(max, _)).
move(s(P, T), up(Name), s(Q, T1)) :- other(P, Q), raise(T, Name, T1).
raise([Name-Score|T], Name, [Name-New|T]) :- Score < 6, New is Score + 1.
raise([Name-Score|T], Other, [Name-Score|T1]) :- raise(T, Other, T1).
score(T, Name, Score) :- memberchk(Name-Score, T).
leader(T, Name) :- findall(Score-Name, score(T, Name, Score), L), max_member(_-Name, L).
static_eval(s(_, T), V) :- leader(T, Name), score(T, Name, V).
other(max, min).
other(min, max).
acyclic.
no_moves(eval).
