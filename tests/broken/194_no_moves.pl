% There are no moves.
% code: A0502
% at: 11:1 13:1
% help: moves(
% mend 13: |max_to_move(a).
% mend 13: |
% mend 13: |moves(a, [b, c]).
% mend 13: |moves(b, [d, e]).
% mend 13: |moves(c, [f, g]).
% The tree of the textbook: MAX picks a branch, then MIN a leaf.
initial(a).

max_to_move(a).

static_eval(d, 3).
static_eval(e, 5).
static_eval(f, 2).
static_eval(g, 9).
static_eval(_, 0).
