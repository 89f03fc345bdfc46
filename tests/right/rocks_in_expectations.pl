% A corridor of cells; whoever cannot step loses. No rule puts a rock into the corridor, but the rules know rocks,
% and the expectations use corridors with rocks and of other lengths.
:- use_module(library(alphorn)).
:- expect(value(at(max, [x,e,e,o])) = win(min)).
:- expect(value(at(max, [x,rock,e,o])) = win(min)).
:- expect(fails(move(at(max, [x,rock,o]), _, _))).
:- expect(holds(blocked(rock))).
initial(at(max, [x,e,e,e,o])).
max_to_move(at(max, _)).
move(at(max, Cells), step, at(min, Next)) :- swap(Cells, x, Next).
move(at(min, Cells), step, at(max, Next)) :- reverse(Cells, Back), swap(Back, o, Moved), reverse(Moved, Next).
swap([Man, Cell|Rest], Man, [Cell, Man|Rest]) :- \+ blocked(Cell).
swap([Cell|Rest], Man, [Cell|Next]) :- Cell \== Man, swap(Rest, Man, Next).
blocked(rock).
blocked(x).
blocked(o).
no_moves(loss).
acyclic.
