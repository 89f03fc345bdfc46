% gives: A0311
% An image has its pairs in another order than positions have.
initial(heap(max, [at(1)-red, at(3)-blue])).
max_to_move(heap(max, _)).
move(heap(P, Stones), take(N), heap(Q, Left)) :-
    other(P, Q),
    select(at(N)-_, Stones, Left).
no_moves(loss).
static_eval(_, 0).
symmetry(heap(P, Stones), heap(P, Image)) :-
    findall(Colour-at(M), (member(at(N)-Colour, Stones), M is 4 - N), Found),
    sort(Found, Image).
acyclic.
other(max, min).
other(min, max).
