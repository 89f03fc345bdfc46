% gives: A0509
% shown_move/3 has From and N in each other's place.
initial(at(max, 1, 5)).
max_to_move(at(max, _, _)).
move(at(Who, From, Men), march(From, N, To), at(Other, To, Left)) :-
    other(Who, Other),
    member(N, [1, 2]),
    To is From + 1,
    To < 5,
    Left is Men - N,
    Left > 0.
other(max, min).
other(min, max).
no_moves(eval).
acyclic.
static_eval(at(_, _, Men), Men).
shown_move(_, march(N, From, To), Text) :- format(atom(Text), '~d: ~w-~w', [N, From, To]).
