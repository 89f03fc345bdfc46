% Clauses that only throw an exception have no answer, so their variables need no value.
initial(p(max, 5)).
max_to_move(p(max, _)).
move(p(P, N), take(K), p(Q, M)) :-
    member(K, [1, 2]),
    K =< N,
    M is N - K,
    other(P, Q).
move(p(_, N), _, _) :- N < 0, type_error(nonneg, N).
move(p(_, N), _, Next) :- N < -3, ( N < -5 -> throw(low) ; stop(Next) ).
stop(_) :- throw(stopped).
outcome(p(P, 0), win(Q)) :- other(P, Q).
outcome(p(_, -1), _) :- throw(below).
other(max, min).
other(min, max).
acyclic.
