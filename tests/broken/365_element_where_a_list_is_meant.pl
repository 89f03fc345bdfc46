% The base case of insert/3 answers with the stone in place of a list with the stone.
% code: A0311
% at: 13:19
% help: is a list
% mend 13: |insert(Stone, [], [Stone]).
initial(path([], [], max)).
max_to_move(path(_, _, max)).
move(path(Own, Other, max), put(P-W), path(Next, Other, min)) :- stone(P-W, Own, Other), insert(P-W, Own, Next).
move(path(Own, Other, min), put(P-W), path(Own, Next, max)) :- stone(P-W, Own, Other), insert(P-W, Other, Next).
stone(P-W, Own, Other) :- member(P-W, [a-1, b-2, c-3]), free(P, Own), free(P, Other).
free(P, Stones) :- \+ memberchk(P-_, Stones).
% insert(Stone, Stones, All): All are Stones with Stone, in order.
insert(Stone, [], Stone).
insert(Stone, [First|Stones], [Stone, First|Stones]) :- Stone @< First.
insert(Stone, [First|Stones], [First|Rest]) :- First @< Stone, insert(Stone, Stones, Rest).
no_moves(eval).
static_eval(path(A, B, _), V) :- total(A, N), total(B, M), V is N - M.
total([], 0).
total([_-W|Stones], N) :- total(Stones, M), N is M + W.
acyclic.
