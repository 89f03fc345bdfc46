% Right: positions are pairs, and labels as well.
initial(max-(3-3)).
max_to_move(max-_).
move(max-Board, Label, min-Next) :- step(Board, Label, Next).
move(min-Board, Label, max-Next) :- step(Board, Label, Next).
step(A-B, 1-K, C-B) :- between(1, A, K), C is A - K.
step(A-B, 2-K, A-C) :- between(1, B, K), C is B - K.
terminal(_-(0-0)).
static_eval(max-(0-0), -1).
static_eval(min-(0-0), 1).
static_eval(_-(A-B), 0) :- A + B > 0.
prefer(_, 1-_, 2).
prefer(_-(_-0), _-K, K).
prefer(_, _, 0).
shown_move(_, H-K, T) :- format(atom(T), "~w/~w", [H, K]).
acyclic.
