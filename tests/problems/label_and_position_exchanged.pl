% gives: A0509
% Helpers make the label and the next position, and the head has them in the wrong order.
initial(race(max, Places)) :- list_to_assoc([max-1, min-1], Places).
max_to_move(race(max, _)).
move(race(Who, Places), After, Label) :-
    label(N, Label),
    After = race(Other, Next),
    other(Who, Other),
    member(N, [1, 2]),
    place(Places, Who, From),
    To is From + N,
    To =< 5,
    put_place(Places, Who, To, Next).
place(Places, Who, Place) :- get_assoc(Who, Places, Place).
put_place(Places, Who, Place, Next) :- put_assoc(Who, Places, Place, Next).
terminal(race(Who, Places)) :- other(Who, Other), place(Places, Other, 5).
static_eval(race(_, Places), Value) :-
    place(Places, max, Mine),
    place(Places, min, Theirs),
    Value is Mine - Theirs.
prefer(_, run(2), 1).
acyclic.
other(max, min).
other(min, max).
label(N, run(N)).
