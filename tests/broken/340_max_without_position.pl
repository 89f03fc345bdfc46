% The player alone where a position is given.
% code: A0508 A0309
% at: 10:1 10:13
% help: at(_, _)
% help: at/2
% mend 10: |max_to_move(at(max, _)).
% A walk on numbered squares, each with its worth.
initial(at(max, 0)).

max_to_move(max).

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
other(min, max).

terminal(at(_, 9)).
terminal(at(_, 8)).

static_eval(at(_, N), N).

no_moves(eval).
repetition(draw).
