% gives: A0506
% It said "write one of draw".
initial(p(0)).
max_to_move(_).
repetition(loss).
move(p(0), go, p(1)).
static_eval(_, 0).
