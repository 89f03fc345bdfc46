% A comma is missing before a negative number.
% code: A0307
% at: 19:9 19:12
% help: 10, -2
% mend 19: |worth(w(10, -2)).
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

worth(w(10 -2)).
worth(w(10, 3)).

other(max, min).
other(min, max).

terminal(at(_, 9)).
terminal(at(_, 8)).

static_eval(at(_, N), N).

no_moves(eval).
repetition(draw).
