% gives: A0509
% Parts of the position were called variables of the answer.
initial(p(0, a)).
max_to_move(_).
move(p(N, A), add, p(M, A)) :- N < 3, M is N + 1.
outcome(Result, p(3, _)) :- Result = draw.
