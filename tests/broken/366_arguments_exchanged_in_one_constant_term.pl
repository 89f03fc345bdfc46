% One piece of the opening has its side and its kind exchanged; nothing looks for it.
% code: A0311
% at: 6:54
% help: exchange man
% mend 6: |initial(army([piece(white, king), piece(white, man), piece(black, man), piece(black, king)], white, 3)).
initial(army([piece(white, king), piece(white, man), piece(man, black), piece(black, king)], white, 3)).
max_to_move(army(_, white, _)).
move(army(L, S, N), take(K), army(R, T, M)) :- other(S, T), select(piece(T, K), L, R), M is N - 1.
terminal(army(_, _, 0)).
no_moves(loss).
static_eval(army(L, _, _), V) :- count(white, L, A), count(black, L, B), V is A - B.
count(S, L, N) :- findall(K, member(piece(S, K), L), Ks), length(Ks, N).
shown_move(_, take(K), T) :- atom_concat(takes, K, T).
acyclic.
other(white, black).
other(black, white).
kind(piece(white, man), m). kind(piece(black, king), k). kind(piece(black, man), m). kind(piece(white, king), k).
show(army(L, _, _), [T]) :- findall(C, ( member(P, L), kind(P, C) ), Cs), atomic_list_concat(Cs, T).
