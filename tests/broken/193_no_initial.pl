% There is no initial position.
% code: A0501
% at: 9:1 11:1
% help: initial(
% mend 8: |% The tree of the textbook: MAX picks a branch, then MIN a leaf.
% mend 8: |initial(a).
% mend 8: |
% The tree of the textbook: MAX picks a branch, then MIN a leaf.
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
