% Take one to three neighbouring counters of one row; whoever takes the last one loses. The rows of the triangle are
% lists of different lengths, and an expectation has a smaller triangle.
:- use_module(library(alphorn)).
:- expect(perft(1) = 10).
:- expect(value(tri(max, [[o], [o,o]])) = win(max)).
initial(tri(max, [[o], [o,o], [o,o,o]])).
max_to_move(tri(max, _)).
move(tri(Who, Rows), take(R, C, N), tri(Other, Next)) :-
    other(Who, Other),
    nth1(R, Rows, Row, Rest),
    between(1, 3, N),
    taken(N, C, Row, New),
    nth1(R, Next, New, Rest).
taken(N, C, Row, New) :-
    append(Before, After, Row),
    run(N, After, End),
    length([_|Before], C),
    length(Gone, N),
    maplist(=(-), Gone),
    append([Before, Gone, End], New).
run(0, End, End) :- !.
run(N, [o|Rest], End) :- M is N - 1, run(M, Rest, End).
terminal(tri(_, Rows)) :- \+ ( member(Row, Rows), memberchk(o, Row) ).
outcome(tri(Who, _), win(Who)).
other(max, min).
other(min, max).
acyclic.
