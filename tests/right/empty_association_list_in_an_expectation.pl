% In an expectation a board may be the empty association list, which no game reaches.
:- use_module(library(alphorn)).
:- use_module(library(assoc)).
:- expect(value(isle(max, 1, 3, t(1, 2, <, t, t(3, 1, <, t, t))), 1) = 1).
:- expect(perft(2) = 4).
:- expect(holds(static_eval(isle(max, 1, 3, t), 0))).
:- expect(holds(terminal(isle(min, 1, 3, t)))).
initial(isle(max, 1, 5, Board)) :-
    findall(Place-1, between(1, 5, Place), Pairs),
    list_to_assoc(Pairs, Board).
max_to_move(isle(max, _, _, _)).
move(isle(max, Mine, Theirs, Board), To, isle(min, To, Theirs, Next)) :- step(Mine, Theirs, To, Board, Next).
move(isle(min, Theirs, Mine, Board), To, isle(max, Theirs, To, Next)) :- step(Mine, Theirs, To, Board, Next).
step(Mine, Theirs, To, Board, Next) :-
    get_assoc(To, Board, Gold),
    Gold > 0,
    To =\= Mine,
    To =\= Theirs,
    abs(To - Mine) =< 2,
    Less is Gold - 1,
    put_assoc(To, Board, Less, Next).
terminal(Pos) :- \+ move(Pos, _, _).
static_eval(isle(_, _, _, Board), Value) :-
    assoc_to_values(Board, Values),
    sum_list(Values, Sum),
    Value is Sum mod 2.
acyclic.
