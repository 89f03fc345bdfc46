% The recursive goal stands first.
% code: A0402
% at: 23:16
% help: :- table below/2
% mend 23: |:- table below/2. below(X, Z) :- below(X, Y), child(Y, Z).
% The tree of the textbook: MAX picks a branch, then MIN a leaf.
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
:- expect(holds(below(a, d))).
below(X, Z) :- below(X, Y), child(Y, Z).
below(X, Y) :- child(X, Y).
child(X, Y) :- moves(X, L), member(Y, L).
