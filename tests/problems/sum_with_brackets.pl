% gives: A0307
% A closing bracket at the end of a sum was missing in the message and in the help.
initial(p(1, 2)).
max_to_move(_).
move(p(A, B), add, p(B, A)) :- A < 9.
static_eval(p(A, B), V) :- V = (A - B) * 2 * (A + B).
