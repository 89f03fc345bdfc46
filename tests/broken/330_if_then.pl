% The word then.
% code: A0101
% at: 16:7 16:16
% help: ->
% mend 16: |    ( M > 9 -> fail ; true ),
% A walk on numbered squares, each with its worth.
initial(at(max, 0)).

max_to_move(at(max, _)).

move(at(P, N), Step, at(Q, M)) :-
    other(P, Q),
    worth(w(_, Step)),
    M is N + Step,
    M >= 0,
    ( if M > 9 then fail ; true ),
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
