% gives: A0201, A0201
% Goals of expectations call what there is not; what asks the search is there.
:- expect(holds((initial(P), max_moves(P)))).
:- expect(fails((initial(P), \+ winning(P)))).
:- expect(holds((initial(P), value(P, 2, _)))).
initial(n(3)).
max_to_move(n(N)) :- 1 =:= N mod 2.
move(n(N), take, n(M)) :- N > 0, M is N - 1.
no_moves(loss).
