% Two walkers on a graph with one-way streets; whoever cannot reach a goal from where he stands has lost.
:- use_module(library(alphorn)).
:- table reach/2, reaches_goal/1, legal/2.
:- expect(holds(reach(a, g))).
:- expect(fails(reach(g, a))).

initial([at(white, a), at(black, d), turn(white), step(0)]).
holds(F, S) :- memberchk(F, S).

max_to_move(S) :- holds(turn(white), S).

reach(X, Y) :- reach(X, Z), street(Z, Y).
reach(X, Y) :- street(X, Y).

reaches_goal(X) :- goal(G), reach(X, G).
reaches_goal(X) :- goal(X).

street(a, b). street(b, c). street(c, a). street(c, e). street(e, g).
street(d, e). street(e, f). street(f, d). street(f, h).
goal(g).

legal(S, go(P, Y)) :- holds(turn(P), S), holds(at(P, X), S), street(X, Y).

terminal(S) :- holds(step(6), S).
terminal(S) :- member(at(_, g), S).
terminal(S) :- holds(turn(P), S), holds(at(P, X), S), \+ reaches_goal(X).
terminal(S) :- \+ legal(S, _).

other(white, black).
other(black, white).
side(white, max).
side(black, min).

move(S, go(P, Y), N) :-
    legal(S, go(P, Y)),
    other(P, O),
    holds(at(O, Z), S),
    holds(step(K), S),
    K1 is K + 1,
    sort([at(P, Y), at(O, Z), turn(O), step(K1)], N).

outcome(S, win(W)) :- member(at(P, g), S), !, side(P, W).
outcome(S, win(W)) :- holds(turn(P), S), holds(at(P, X), S), \+ reaches_goal(X), !, other(P, O), side(O, W).
outcome(_, draw).
