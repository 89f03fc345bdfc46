% Records with lists and numbers are no boards: two hands and two counts, a tree of lists, a run of names.
:- use_module(library(alphorn)).
:- expect(value = 2).
initial(s(max, [[1, 2], 3, 4, [5, 6]], [[[7]], [8], [9]], [[a, b, c], x, [c, b, a]], [[p, q, r], [s, t, u], 1, 2, 3, 4])).
max_to_move(s(max, _, _, _, _)).
move(s(max, [Hand, A, B, Other], [Tree|Trees], Names, Marks), take(K), s(min, [Rest, B, A, Other], [Tree|Trees], Names, Marks)) :-
    select(K, Hand, Rest).
terminal(s(min, _, _, _, _)).
static_eval(s(_, [[Left], _, _, _], [[[N]]|_], [[a|_]|_], [[p|_]|_]), Value) :-
    Value is Left * (N - 6).
acyclic.
