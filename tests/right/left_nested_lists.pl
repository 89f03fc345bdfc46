% Left-nested heaps: [Below|Top]; the top stone of a left-nested heap.
:- expect(holds(move(pos(max, [[[]|a]|b], [b]), lift, pos(min, [[]|a], [])))).
initial(pos(max, [[[]|a]|b], [b, a])).
max_to_move(pos(max, _, _)).
move(pos(P, Heap, Order), lift, pos(O, Below, Rest)) :- other(P, O), Heap = [Below|X], Order = [X|Rest].
move(pos(P, Heap, Order), all, pos(O, [], [])) :- other(P, O), matches(Heap, Order).
matches([], []).
matches([Below|X], [X|Rest]) :- matches(Below, Rest).
terminal(pos(_, [], _)).
outcome(_, draw).
acyclic.
other(max, min).
other(min, max).
