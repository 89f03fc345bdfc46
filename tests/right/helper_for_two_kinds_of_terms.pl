% keep/2 is a general helper, for heaps and for a square whose parts nobody matches.
initial(pos(max, [3, 4], sq(1, 1))).
max_to_move(pos(max, _, _)).
move(pos(S, Heaps, At), take(I), pos(O, Next, To)) :-
    other(S, O),
    nth1(I, Heaps, N), N > 0,
    M is N - 1,
    put(I, Heaps, M, Taken),
    choose(S, Taken, Heaps, Rest),
    shorten(Rest, Next),
    arg(1, At, R), R1 is R + 1,
    choose(S, sq(R1, I), At, To).
choose(max, A, _, A).
choose(min, _, B, B).
put(1, [_|T], M, [M|T]).
put(2, [H, _], M, [H, M]).
shorten([0|T], T).
shorten([H|T], [H|T]) :- H > 0.
other(max, min).
other(min, max).
terminal(pos(_, [], _)).
static_eval(pos(max, _, _), -1).
static_eval(pos(min, _, _), 1).
repetition(draw).
no_moves(draw).
