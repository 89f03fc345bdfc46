% gives: nothing
% Lines end as on Windows.
terminal(N) :-
    N > 0.   % a comment
show(_, ["a \
 line"]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
