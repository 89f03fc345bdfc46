% Walkers: a walker that has run gets a second argument.
:- expect(perft(1) = 2).
:- expect(holds(move(pos(max, [w(1), w(2)]), step(1), pos(min, [w(2), w(2)])))).
:- expect(value(pos(max, [w(3), w(3)])) = draw).
initial(pos(max, [w(1), w(1)])).
max_to_move(pos(max, _)).
move(pos(P, [A|Rest]), step(1), pos(O, [B|Rest])) :- other(P, O), next(A, B).
move(pos(P, [X, A]), step(2), pos(O, [X, B])) :- other(P, O), next(A, B).
next(w(N), w(M)) :- N < 2, M is N + 1.
next(w(2), w(2, ran)).
outcome(_, draw).
acyclic.
other(max, min).
other(min, max).
