% gives: A0309, A0309, A0309
% Elements of a list are looked for otherwise than they are made, and a helper is called with other terms.
initial(heap(max, [stone(1)-red, stone(2)-blue])).
max_to_move(heap(max, _)).
move(heap(P, Stones), take(N), heap(Q, Left)) :-
    other(P, Q),
    select(stone(N)-_, Stones, Left).
no_moves(loss).
static_eval(heap(_, Stones), Value) :-
    count(red, Stones, A),
    count(Stones, blue, B),
    Value is A - B.
count(Colour, Stones, Count) :-
    findall(N, member(stone(N)-Colour, Stones), Ns),
    length(Ns, Count).
quiet(heap(_, Stones)) :-
    \+ memberchk(red-_, Stones).
noisy(heap(_, Stones), take(N)) :-
    memberchk(Stone-red, Stones),
    edge(Stone),
    edge(stone(N)).
edge(stone(1)).
edge(2-stone).
acyclic.
other(max, min).
other(min, max).
