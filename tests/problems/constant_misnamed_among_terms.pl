% gives: A0309
% letter/2 has empty where the lane has bare. Its other clauses take terms.
initial(pond(max, [frog(max), bare, frog(min), bare])).
max_to_move(pond(max, _)).
move(pond(Who, Lane), hop(N), pond(Other, Next)) :-
    nth1(N, Lane, bare, Rest),
    other(Who, Other),
    nth1(N, Next, frog(Who), Rest).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
show(pond(_, Lane), [Line]) :-
    maplist(letter, Lane, Letters),
    atomic_list_concat(Letters, Line).
letter(frog(max), x).
letter(frog(min), o).
letter(empty, '.').
