% Binary trees are lists of two trees, and leaves are empty lists.
:- expect(holds(size([[], [[], []]], 2))).
:- expect(perft(1) = 3).
initial(pos(max, [[[], []], [[], []]])).
max_to_move(pos(max, _)).
move(pos(P, T), prune(Path), pos(O, U)) :- other(P, O), prune(T, Path, U).
prune([_, _], here, []).
prune([L, R], left(Path), [M, R]) :- prune(L, Path, M).
prune([L, R], right(Path), [L, M]) :- prune(R, Path, M).
size([], 0).
size([L, R], N) :- size(L, A), size(R, B), N is A + B + 1.
outcome(_, draw).
acyclic.
other(max, min).
other(min, max).
