% gives: A0311
% A helper puts stones into the list that no goal takes out again.
initial(heap(max, [at(1)-red, at(2)-blue])).
max_to_move(heap(max, _)).
move(heap(P, Stones), move(N, M), heap(Q, Next)) :-
    other(P, Q),
    select(at(N)-Colour, Stones, Rest),
    M is N + 2,
    M < 9,
    \+ memberchk(at(M)-_, Rest),
    put(M, Colour, Rest, Next).
put(M, Colour, Rest, Next) :-
    sort([Colour-at(M)|Rest], Next).
no_moves(loss).
static_eval(heap(_, Stones), Value) :-
    findall(N, member(at(N)-red, Stones), Ns),
    sum_list(Ns, Value).
acyclic.
other(max, min).
other(min, max).
