% A position is a list of facts. A pass adds the word `passed` at the front; two passes end the game.
:- use_module(library(alphorn)).
:- expect(perft(2) = 4).
:- expect(value = 1).
initial(s([left(3), turn(max), points(max, 0), points(min, 0)])).
max_to_move(s(Facts)) :- memberchk(turn(max), Facts).
move(s(Facts), take, s(Next)) :-
    memberchk(left(N), Facts), N > 0, M is N - 1,
    memberchk(turn(Who), Facts), other(Who, Other),
    memberchk(points(Who, P), Facts), Q is P + 1,
    memberchk(points(Other, R), Facts),
    Next = [left(M), turn(Other), points(Who, Q), points(Other, R)].
move(s(Facts), pass, s([passed|Next])) :-
    memberchk(turn(Who), Facts), other(Who, Other),
    select(turn(Who), Facts, turn(Other), Next).
terminal(s(Facts)) :- Facts = [passed,passed|_].
terminal(s(Facts)) :- memberchk(left(0), Facts).
static_eval(s(Facts), V) :- memberchk(points(max, A), Facts), memberchk(points(min, B), Facts), V is A - B.
other(max, min).
other(min, max).
acyclic.
