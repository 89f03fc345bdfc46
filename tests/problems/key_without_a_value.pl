% gives: A0309, A0309
% get_assoc/3 does not enumerate keys: one goal passes a variable, and a call of a helper does too.
initial(race(max, Places)) :- list_to_assoc([max-1, min-1], Places).
max_to_move(race(max, _)).
move(race(Who, Places), run(N), race(Other, Next)) :-
    other(Who, Other),
    member(N, [1, 2]),
    place(Places, Who, From),
    To is From + N,
    To =< 5,
    put_assoc(Who, Places, To, Next).
place(Places, Who, Place) :- get_assoc(Who, Places, Place).
terminal(race(_, Places)) :- place(Places, _, 5).
no_moves(draw).
static_eval(race(_, Places), 1) :- get_assoc(_, Places, 4).
static_eval(_, 0).
acyclic.
other(max, min).
other(min, max).
