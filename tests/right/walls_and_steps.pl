% A pawn walks up a strip of five squares' height, and walls bar its way. Labels are made last, of the
% square or the wall that was chosen.

:- expect(holds(move(q(max, c-1, 2, []), b2h, _))).
:- expect(fails(move(q(max, c-1, 2, [wall(h, b, 2)]), b2h, _))).
:- expect(perft(1) = 17).

initial(q(max, c-1, 2, [])).

max_to_move(q(max, _, _, _)).

acyclic.

move(Pos, Label, Next) :- step(Pos, Label, Next).
move(Pos, Label, Next) :- build(Pos, Label, Next).

step(q(Player, X-Y, N, Walls), Label, q(Other, X-Y1, N, Walls)) :-
    other(Player, Other),
    \+ blocked(X, Y, Walls),
    Y1 is Y + 1,
    atom_concat(X, Y1, Label).

build(q(Player, Pawn, N, Walls), Label, q(Other, Pawn, N1, [Wall|Walls])) :-
    N > 0,
    other(Player, Other),
    N1 is N - 1,
    free(Walls, Wall),
    name(Wall, Label).

free(Walls, wall(Way, X, Y)) :-
    member(Way, [h, v]),
    member(X, [b, c]),
    between(1, 4, Y),
    \+ clash(wall(Way, X, Y), Walls).

clash(wall(_, X, Y), Walls) :- member(wall(_, X, Y), Walls).

blocked(X, Y, Walls) :- member(wall(h, X, Y), Walls).

name(wall(Way, X, Y), Label) :-
    atom_concat(X, Y, Square),
    atom_concat(Square, Way, Label).

other(max, min).
other(min, max).

terminal(q(_, _-5, _, _)).
terminal(q(_, X-Y, 0, Walls)) :- Y < 5, blocked(X, Y, Walls).

outcome(q(Player, _-5, _, _), win(Winner)) :- other(Player, Winner).
outcome(q(_, _-Y, 0, _), draw) :- Y < 5.
