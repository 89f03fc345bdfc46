% A token walks on a directed graph; from b it may go back to a.
initial(at(max, a)).
max_to_move(at(max, _)).
arcs([arc(a, b), arc(a, c), arc(d, b), arc(b, a), arc(c, d)]).
move(at(Side, From), To, at(Other, To)) :- arcs(Arcs), member(arc(From, To), Arcs), other(Side, Other).
other(max, min).
other(min, max).
terminal(at(_, d)).
static_eval(at(max, _), -1).
static_eval(at(min, _), 1).
repetition(draw).
no_moves(draw).
