% An expected label has a square with a slash, and squares have a minus.
% code: A0312
% at: 8:44
% help: write 1-2, or remove
% mend 8: |:- expect(best(board(max, [1-2]), 1) = put(1-2, far)).
% Two players put stones on the squares of a small board, near to or far from the edge.
:- expect(perft(1) = 8).
:- expect(best(board(max, [1-2]), 1) = put(1/2, far)).
initial(board(max, [1-1, 1-2, 2-1, 2-2])).
max_to_move(board(max, _)).
move(board(Who, Free), put(Square, How), board(Foe, Rest)) :-
    select(Square, Free, Rest),
    member(How, [far, near]),
    foe(Who, Foe).
prefer(_, put(_-Column, far), Column).
terminal(board(_, [])).
static_eval(board(_, Free), Value) :- length(Free, Value).
acyclic.
foe(max, min).
foe(min, max).
