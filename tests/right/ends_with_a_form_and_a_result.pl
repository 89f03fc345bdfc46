% a position of its own form ends the game: outcome/2 gives its result, and nothing evaluates it
initial(p(0)).
max_to_move(p(N)) :- N mod 2 =:= 0.
move(p(N), up, p(M)) :- N < 4, M is N+1.
move(p(N), stop, e(V)) :- V is N-1.
outcome(e(V), score(V)).
static_eval(p(_), 0).
