% A semicolon ends a goal, as in Java.
% code: A0401
% at: 14:18 15:5
% help: write `,`
% mend 14: |    M is N + Step,
% A walk on numbered squares, each with its worth.
initial(at(max, 0)).

max_to_move(at(max, _)).

move(at(P, N), Step, at(Q, M)) :-
    other(P, Q),
    worth(w(_, Step)),
    M is N + Step;
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
