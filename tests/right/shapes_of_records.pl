% Records with keys that are asked for by a helper, of two kinds; a key that only one kind has.
initial([phase=place, turn=max, left=3]).
max_to_move(State) :-
    memberchk(turn=max, State).
move([phase=place, turn=P, left=N], put(N), Next) :-
    M is N - 1,
    other(P, Q),
    (   M > 0
    ->  Next = [phase=place, turn=Q, left=M]
    ;   Next = [phase=play, turn=Q, row=[1, 2], last=none]
    ).
move([phase=play, turn=P, row=Row, last=_], take(K), [phase=play, turn=Q, row=Rest, last=some(K)]) :-
    select(K, Row, Rest),
    other(P, Q).
no_moves(loss).
static_eval(State, Value) :-
    (   get(row, State, Row)
    ->  length(Row, Value)
    ;   get(left, State, Value)
    ).
quiet(State) :-
    \+ get(last, State, some(_)).
get(Key, State, Value) :-
    memberchk(Key=Value, State).
acyclic.
other(max, min).
other(min, max).
