% A text for the player in a head.
% code: A0309
% at: 9:16
% help: write max
% mend 9: |max_to_move(at(max, _)).
% A walk on numbered squares, each with its worth.
initial(at(max, 0)).

max_to_move(at("max", _)).

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
