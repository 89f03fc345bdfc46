% The empty cell is named otherwise in the picture.
% code: A0309
% at: 29:8
% help: did you mean e?
% mend 29: |letter(e, '.').
% Fill a small board with counters; whoever finds no empty cell loses. Counters may not touch in a row.
:- use_module(library(alphorn)).
:- expect(value(b(max, [[e,e], [e,e], [e,e]])) = win(max)).
:- expect(perft(b(min, [[o,e,e], [e,e,o]]), 1) = 2).
:- expect(holds(full(b(max, [[o,o], [o,o]])))).
initial(b(max, [[e,e,e], [e,e,e], [e,e,e]])).
max_to_move(b(max, _)).
move(b(Who, Rows), put(R, C), b(Other, Next)) :-
    other(Who, Other),
    nth1(R, Rows, Row, Rows0),
    \+ nextto(o, o, Row),
    nth1(C, Row, e, Cells),
    nth1(C, New, o, Cells),
    \+ nextto(o, o, New),
    nth1(R, Next, New, Rows0).
full(b(_, Rows)) :- \+ ( member(Row, Rows), memberchk(e, Row) ).
no_moves(loss).
acyclic.
other(max, min).
other(min, max).
symmetry(b(Who, Rows), b(Who, Image)) :- maplist(reverse, Rows, Image).
show(b(_, Rows), Lines) :- maplist(line, Rows, Lines).
line(Row, Line) :- maplist(letter, Row, Letters), atomic_list_concat(Letters, Line).
letter(empty, '.').
letter(o, 'O').
