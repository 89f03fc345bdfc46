% gives: A0210
% The operator that was meant was called unknown, and the clause with it unreadable.
:- op(700, between, ===>).
initial(0).
max_to_move(_).
move(N, add, M) :- N ===> M.
static_eval(N, N).
