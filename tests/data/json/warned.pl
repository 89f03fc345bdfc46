% A game without a picture, with warnings.
initial(a).
max_to_move(a).
moves(a, [b, c]).
static_eval(a, 0).
static_eval(b, 1).
static_eval(c, 2) :- Once = 1.
