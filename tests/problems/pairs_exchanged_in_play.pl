% gives: A0311
initial(board(max, place, [])).
max_to_move(board(max, _, _)).
turn(max, min).
turn(min, max).
point(N) :- between(1, 7, N).
free(Stones, Point) :- point(Point), \+ member(Point-_, Stones).
phase(Stones, slide) :- length(Stones, 4), !.
phase(_, place).
move(board(Who, place, Stones), put(Point), board(Other, Phase, Next)) :-
    turn(Who, Other),
    free(Stones, Point),
    msort([Point-Who|Stones], Next),
    phase(Next, Phase).
move(board(Who, slide, Stones), slide(From, To), board(Other, slide, Next)) :-
    turn(Who, Other),
    select(From-Who, Stones, Rest),
    free(Stones, To),
    msort([Who-To|Rest], Next).
terminal(board(Who, slide, Stones)) :- \+ member(_-Who, Stones).
static_eval(board(_, _, Stones), Value) :- length(Stones, Value).
repetition(draw).
