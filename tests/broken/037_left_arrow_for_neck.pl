% An arrow to the left, as logic books write it.
% code: A0101
% at: 15:1 15:16
% help: :-
% mend 15: |terminal(Node) :- \+ moves(Node, _).
% The tree of the textbook: MAX picks a branch, then MIN a leaf.
initial(a).

max_to_move(a).

moves(a, [b, c]).
moves(b, [d, e]).
moves(c, [f, g]).

terminal(Node) <- \+ moves(Node, _).

static_eval(d, 3).
static_eval(e, 5).
static_eval(f, 2).
static_eval(g, 9).
static_eval(Node, 0) :- moves(Node, _).
