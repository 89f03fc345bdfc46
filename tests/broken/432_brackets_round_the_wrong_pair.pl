% A helper takes elements with the brackets round the wrong pair.
% code: A0309
% at: 14:7
% help: the calls have a list of _-_-_ here
% mend 14: |paint([Row-Column-Stone|Rest], Board, [cell(Row, Column, Stone)|Cells]) :-
% Two players in turn mark a square of a strip and the square below it.
initial(strip(max, 1, [])).
max_to_move(strip(max, _, _)).
move(strip(Who, At, Board), mark(At), strip(Foe, Next, Cells)) :-
    At =< 4,
    Next is At + 1,
    foe(Who, Foe),
    paint([1-At-Who, 2-At-e], Board, Cells).
paint([Row-(Column-Stone)|Rest], Board, [cell(Row, Column, Stone)|Cells]) :-
    paint(Rest, Board, Cells).
paint([], Board, Board).
no_moves(loss).
acyclic.
foe(max, min).
foe(min, max).
