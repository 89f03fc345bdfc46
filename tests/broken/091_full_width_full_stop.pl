% An ideographic full stop.
% code: A0105
% at: 17:18
% help: `.`
% mend 17: |static_eval(d, 3).
% The tree of the textbook: MAX picks a branch, then MIN a leaf.
initial(a).

max_to_move(a).

moves(a, [b, c]).
moves(b, [d, e]).
moves(c, [f, g]).

terminal(Node) :- \+ moves(Node, _).

static_eval(d, 3)。
static_eval(e, 5).
static_eval(f, 2).
static_eval(g, 9).
static_eval(Node, 0) :- moves(Node, _).
