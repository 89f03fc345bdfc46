% The arguments of static_eval exchanged.
% code: A0606
% at: 22:1
% help: static_eval(
% run: --playouts 50
% mend 22: |static_eval(d, 3).
% mend 23: |static_eval(e, 5).
% mend 24: |static_eval(f, 2).
% mend 25: |static_eval(g, 9).
% mend 26: |static_eval(Node, 0) :- moves(Node, _).
% The tree of the textbook: MAX picks a branch, then MIN a leaf.
initial(a).

max_to_move(a).

moves(a, [b, c]).
moves(b, [d, e]).
moves(c, [f, g]).

terminal(Node) :- \+ moves(Node, _).

static_eval(3, d).
static_eval(5, e).
static_eval(2, f).
static_eval(9, g).
static_eval(0, Node) :- moves(Node, _).
