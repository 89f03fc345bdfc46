% Names that are nearly max and min, or nearly another label, and right.
initial(pos(max, 5, mid)).
max_to_move(pos(max, _, _)).
move(pos(P, N, R), play(K), pos(Q, M, R)) :- member(K, [1, 2]), K =< N, M is N - K, other(P, Q).
move(pos(P, N, R), plays(K, 2), pos(Q, M, R)) :- member(K, [3, 4]), K =< N, M is N - K, other(P, Q).
move(pos(P, N, R), pass, pos(Q, N, R)) :- N mod 3 =:= 1, R == mid, other(P, Q).
no_moves(loss).
repetition(draw).
other(max, min).
other(min, max).
% Places on a scale.
height(min, 1).
height(mid, 5).
height(max, 9).
% Another word with the letters of a player.
name(max, 'Max').
name(min, maxi).
show(pos(P, N, R), [Line]) :- height(R, H), name(P, A), format(atom(Line), "~w ~w ~w", [A, N, H]).
prefer(_, play(K), K) :- K > 1.
prefer(_, _, 0).
