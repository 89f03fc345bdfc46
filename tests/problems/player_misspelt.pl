% gives: A0313, A0313, A0313
% Names of players are short, and so are their slips: no game is without max and min.
initial(pos(max, 5)).
max_to_move(pos(max, _)).
move(pos(P, N), take(K), pos(Q, M)) :- member(K, [1, 2]), K =< N, M is N - K, other(P, Q).
no_moves(loss).
other(max, min).
other(min, mx).
show(pos(P, N), [Line]) :- stone(P, S), format(atom(Line), "~w~w", [S, N]).
stone(max, x).
stone(mini, o).
:- expect(value(pos(ma, 0), 2) = win(min)).
:- expect(value(pos(max, 0), 2) = win(min)).
