% gives: A0304
% A fact joins its two arguments. An expectation about hop/2 is no use of hop/1, and the last fact is in its place.
:- expect(holds(hop(3, 6))).
initial(run(max, 0)).
max_to_move(run(max, _)).
move(run(Who, N), play(K), run(Other, To)) :- other(Who, Other), member(K, [1, 2]), M is N + K, M < 9, end(M, To).
no_moves(loss).
acyclic.
end(M, To) :- hop(M, To), !.
end(M, M).
hop(3, 6).
hop(2-4).
hop(5, 7).
other(max, min).
other(min, max).
