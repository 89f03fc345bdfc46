% gives: A0509
% A step has a start and an end. The weight of a move takes the end from the first argument.
initial(walk(max, here, there, 6)).
max_to_move(walk(max, _, _, _)).
move(walk(max, Here, Other, N), step(Here, Goal), walk(min, Goal, Other, M)) :- road(Here, Goal), N > 0, M is N - 1.
move(walk(min, Other, Here, N), step(Here, Goal), walk(max, Other, Goal, M)) :- road(Here, Goal), N > 0, M is N - 1.
road(here, hill). road(hill, there). road(there, hill). road(hill, here).
prefer(walk(_, One, Two, _), step(Goal, _), Weight) :- ( Goal == One -> Weight = 1 ; Goal == Two -> Weight = 2 ; Weight = 0 ).
terminal(walk(_, _, _, 0)).
static_eval(walk(_, Place, _, _), Value) :- ( Place == there -> Value = 1 ; Value = 0 ).
acyclic.
