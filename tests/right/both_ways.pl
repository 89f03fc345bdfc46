% The state of a fold goes to and fro between two forms, and a table is used from one side: A0309 took the second
% clause of each for one with exchanged arguments.
initial(t([], lead(max), 3)).
max_to_move(t(Log, _, _)) :- state(Log, s(max, _)).
state(Log, State) :- foldl(event, Log, s(max, 0), State).
event(skip, s(max, L), s(min, L)).
event(skip, s(min, L), s(max, L)).
move(t(Log, lead(Who), N), skip, t([skip|Log], lead(Who), M)) :- N > 0, foe(Who, _), M is N - 1.
foe(max, min).
foe(min, max).
no_moves(loss).
acyclic.
