% Both players are to move.
% code: A0608
% at: 10:1 11:1
% help: min_to_move
% run: --playouts 50
% mend 11: |
% The tree of the textbook: MAX picks a branch, then MIN a leaf.
initial(a).

max_to_move(a).
min_to_move(_).

moves(a, [b, c]).
moves(b, [d, e]).
moves(c, [f, g]).

terminal(Node) :- \+ moves(Node, _).

static_eval(d, 3).
static_eval(e, 5).
static_eval(f, 2).
static_eval(g, 9).
static_eval(Node, 0) :- moves(Node, _).
