% gives: A0311
% All predicates take the opening but the moves: these are wrong, not the opening.
initial(bar(max, [3, 3])).
max_to_move(bar(max, _)).
moves(bar(_, _, Rows), Nexts) :-
    findall(bar(min, Rest), select(_, Rows, Rest), Nexts).
terminal(bar(_, [])).
outcome(bar(P, []), win(P)).
static_eval(bar(_, _), 0).
acyclic.
