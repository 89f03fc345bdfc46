% Right: positions are atoms and integers, a tree out of a book, and some values nobody asks for.
initial(root).
max_to_move(root).
max_to_move(1).
max_to_move(left).
moves(root, [left, 1]).
moves(left, [ll, lr]).
moves(1, [2, 3]).
static_eval(ll, 3).
static_eval(lr, 5).
static_eval(2, 1).
static_eval(3, 9).
static_eval(4, 7).
static_eval(root, 0).
static_eval(left, 0).
static_eval(right, 0).
static_eval(1, 0).
