% A comment as in C and Java.
% code: A0101
% at: 6:1 6:4 6:8
% help: %
% mend 6: |% The tree of the textbook: MAX picks a branch, then MIN a leaf.
// The tree of the textbook: MAX picks a branch, then MIN a leaf.
initial(a).

max_to_move(a).

moves(a, [b, c]).
moves(b, [d, e]).
moves(c, [f, g]).

terminal(Node) :- \+ moves(Node, _).

static_eval(d, 3).
static_eval(e, 5).
static_eval(f, 2).
static_eval(g, 9).
static_eval(Node, 0) :- moves(Node, _).
