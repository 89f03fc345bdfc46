% gives: A0606
% A helper of outcome/2 names one winner without win(...).
initial(race(max, 0, 0)).
max_to_move(race(max, _, _)).
move(race(max, A, B), run(N), race(min, C, B)) :- A < 4, member(N, [1, 2]), C is A + N.
move(race(min, A, B), run(N), race(max, A, C)) :- B < 4, member(N, [1, 2]), C is B + N.
no_moves(eval).
terminal(race(max, A, _)) :- A >= 4.
acyclic.
outcome(race(_, A, B), Result) :- compare(Order, A, B), result(Order, Result).
result(<, min).
result(=, draw).
result(>, win(max)).
static_eval(race(_, A, B), V) :- V is A - B.
