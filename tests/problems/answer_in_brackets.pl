% gives: A0311
% One clause of a helper answers with a list of a number, the other one with a number.
initial(Facts) :-
    findall(coin(I, Pence), nth1(I, [3, 5], Pence), Coins),
    append([turn(max), got(max, 0), got(min, 0)], Coins, Facts).
max_to_move(Facts) :- memberchk(turn(max), Facts).
move(Facts, take(I), Next) :-
    memberchk(turn(Who), Facts),
    other(Who, Other),
    member(End, [light, heavy]),
    extreme(End, Facts, I),
    select(coin(I, Pence), Facts, Left),
    select(got(Who, Old), Left, got(Who, New), Paid),
    New is Old + Pence,
    select(turn(Who), Paid, turn(Other), Next).
terminal(Facts) :- \+ memberchk(coin(_, _), Facts).
static_eval(Facts, Value) :-
    memberchk(got(max, Mine), Facts),
    memberchk(got(min, Theirs), Facts),
    Value is Mine - Theirs.
extreme(light, Facts, [I]) :- lightest(Facts, I).
extreme(heavy, Facts, I) :-
    findall(N, member(coin(N, _), Facts), All),
    max_list(All, I).
lightest(Facts, I) :-
    findall(Pence-N, member(coin(N, Pence), Facts), Pairs),
    keysort(Pairs, [_-I|_]).
acyclic.
other(max, min).
other(min, max).
