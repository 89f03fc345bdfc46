% gives: A0509
% A frog hops along a row of five stones. One clause makes a label with its arguments exchanged.
initial(pond(max, 1, 5)).
max_to_move(pond(max, _, _)).
move(pond(Turn, Max, Min), Label, Next) :-
    frog(Turn, Max, Min, From, Other),
    near(From, To),
    To =\= Other,
    label(Turn, From, To, Label),
    follows(Turn, To, Other, Next).
frog(max, Max, Min, Max, Min).
frog(min, Max, Min, Min, Max).
near(From, To) :- To is From + 1, To =< 5.
near(From, To) :- To is From - 1, To >= 1.
label(max, From, To, hop(To, From)).
label(min, From, To, hop(From, To)).
follows(max, To, Other, pond(min, To, Other)).
follows(min, To, Other, pond(max, Other, To)).
shown_move(_, hop(From, To), Text) :- atomic_list_concat([From, To], '-', Text).
terminal(pond(_, 5, _)).
terminal(pond(_, _, 1)).
static_eval(pond(_, Max, Min), V) :- V is Max + Min - 6.
repetition(draw).
no_moves(draw).
