% The label names the two squares; a helper finds the move back.
initial(at(max, 1)).
max_to_move(at(max, _)).
move(at(Side, From), step(From, To), at(Other, To)) :- near(From, To), other(Side, Other).
near(From, To) :- member(D, [1, -1]), To is From + D, between(1, 5, To).
other(max, min).
other(min, max).
terminal(at(_, 5)).
static_eval(at(max, _), -1).
static_eval(at(min, _), 1).
shown_move(_, step(From, To), Text) :- atomic_list_concat([From, To], '-', Text).
prefer(_, step(From, To), V) :- V is To - From.
noisy(_, step(From, To)) :- To > From.
back(step(From, To), Back) :- turned(From, To, Back).
turned(From, To, step(To, From)).
:- expect(holds(back(step(1, 2), step(2, 1)))).
repetition(draw).
no_moves(draw).
