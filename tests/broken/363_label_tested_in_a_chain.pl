% shown_move/3 tests the label in a chain of if-then-else, with a label of two arguments that has three.
% code: A0312
% at: 13:17
% help: jump(_, _, _)
% mend 13: |    ;   Label = jump(From, To, _)
initial(row(max, [1, 2], 6)).
max_to_move(row(max, _, _)).
move(row(S, L, N), step(X), row(T, R, M)) :- member(X, L), N > X, M is N - X, other(S, T), append([], L, R).
move(row(S, [A, B], N), jump(A, B, M), row(T, [A, B], M)) :- N > 3, M is N - 3, other(S, T).
shown_move(_, Label, Text) :-
    (   Label = step(X)
    ->  atom_concat(s, X, Text)
    ;   Label = jump(From, To)
    ->  atomic_list_concat([From, To], '-', Text)
    ).
terminal(row(_, _, N)) :- N =< 1.
no_moves(loss).
static_eval(row(max, _, N), N).
static_eval(row(min, _, N), V) :- V is -N.
acyclic.
other(max, min).
other(min, max).
