% gives: A0309
% sign/2 has nobody where the huts have none. foldl/4 calls its caller for each hut.
initial(war(max, [a-red, b-none, c-blue])).
max_to_move(war(max, _)).
move(war(Who, Huts), take(Hut), war(Other, [Hut-Own|Rest])) :-
    colour(Who, Own),
    select(Hut-none, Huts, Rest),
    other(Who, Other).
colour(max, red).
colour(min, blue).
other(max, min).
other(min, max).
no_moves(eval).
acyclic.
static_eval(war(_, Huts), Value) :- foldl(count, Huts, 0, Value).
count(_-Owner, S0, S) :-
    sign(Owner, Sign),
    S is S0 + Sign.
sign(red, 1).
sign(blue, -1).
sign(nobody, 0).
