% Format texts of every kind, with as many arguments as their directives take.
initial(at(max, 1)).
max_to_move(at(max, _)).
move(at(Who, X), step(Y), at(Foe, Y)) :- foe(Who, Foe), X < 6, member(D, [1, 2]), Y is X + D.
foe(max, min).
foe(min, max).
no_moves(loss).
acyclic.
show(at(Who, X), [A, B, C, D, E, F]) :-
    format(atom(A), '~w~t~10|~q~n~p', [Who, X, row]),
    format(atom(B), "~*c~w~30|~`-t~40|", [X, 0'x, Who]),
    format(atom(C), '~~ ~a is ~2d of ~D~+', [Who, X, 6]),
    format(atom(D), 'at ~w', X),
    format(atom(E), 'no directive', []),
    Parts = [Who, X],
    format(atom(F), '~w and ~w and ~4f ~e ~g ~s ~i~8r~8R', [Who, X, 1.5, 2.5, 3.5, "abc", skipped, 9, 9]),
    format(atom(_), '~w ~w', Parts),
    format(atom(_), '~w ~w', [Who|[X]]).
