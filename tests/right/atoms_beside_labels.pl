% A label is an atom, another one has an argument, and a claim says that its name alone is no move.
:- expect(fails(move(p(max, 0), pass, _))).
:- expect(holds(move(p(max, 2), pass(1), _))).
initial(p(max, 2)).
max_to_move(p(max, _)).
move(p(P, N), take, p(O, M)) :- N > 0, other(P, O), M is N - 1.
move(p(P, 2), pass(1), p(O, 1)) :- other(P, O).
outcome(_, draw).
acyclic.
other(max, min).
other(min, max).
