% position a list of heaps with a turn; moves/2 answers a list
initial([max,3,4]).
max_to_move([max|_]).
moves(P, [A,B]) :- P = [_,X,Y], X > 0, Y > 0, !, one(P, A), two(P, B).
moves(_, []).
one([T,X,Y], [U,X1,Y]) :- o(T,U), X1 is X-1.
two([T,X,Y], [U,X,Y1]) :- o(T,U), Y1 is Y-1.
o(max,min). o(min,max).
static_eval(_, 0).
show(P, [A,B,C]) :- P = [A,B,C].
