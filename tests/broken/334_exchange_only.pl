% A clause asks only its own predicate, the other way round.
% code: A0310 A0402
% at: 23:1 23:16
% help: fact
% mend 23: |other(min, max).
% A walk on numbered squares, each with its worth.
initial(at(max, 0)).

max_to_move(at(max, _)).

move(at(P, N), Step, at(Q, M)) :-
    other(P, Q),
    worth(w(_, Step)),
    M is N + Step,
    M >= 0,
    M =< 9,
    M =\= 7.

worth(w(10, -2)).
worth(w(10, 3)).

other(max, min).
other(A, B) :- other(B, A).

terminal(at(_, 9)).
terminal(at(_, 8)).

static_eval(at(_, N), N).

no_moves(eval).
repetition(draw).
