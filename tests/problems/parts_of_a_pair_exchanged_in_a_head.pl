% gives: A0311
% The head of terminal/1 has the parts of a pair in the wrong order.
initial(game(max-4, 0)).
max_to_move(game(max-_, _)).
move(game(Who-Clock, Sum), add(N), game(Other-Less, Next)) :-
    other(Who, Other),
    Clock > 0,
    Less is Clock - 1,
    member(N, [1, 2]),
    Next is Sum + N.
terminal(game(0-_, _)).
acyclic.
no_moves(eval).
static_eval(game(_, Sum), Sum).
other(max, min).
other(min, max).
