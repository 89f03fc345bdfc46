% gives: A0309, A0311
% A helper looks for a key that no record has; another clause writes the keys in another order.
initial([turn=max, left=5]).
max_to_move(State) :-
    get(turn, State, max).
move(State, N, [turn=Other, left=Rest]) :-
    get(turn, State, Side),
    get(left, State, Left),
    between(1, 2, N),
    Rest is Left - N,
    Rest >= 0,
    other(Side, Other).
no_moves(loss).
static_eval([turn=_, left=N], N).
quiet(State) :-
    get(rest, State, N),
    N > 2.
forced([left=1, turn=_]).
get(Key, State, Value) :-
    memberchk(Key=Value, State).
acyclic.
other(max, min).
other(min, max).
