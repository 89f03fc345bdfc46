% gives: A0311, A0311
% A helper makes what nobody takes: move/3 has a variable for the position, and its helper takes play/2 only.
initial(play(white, 3)).
max_to_move(play(white, _)).
max_to_move(over(black)).
min_to_move(play(black, _)).
min_to_move(over(white)).
move(P, take(K), Next) :-
    parts(P, S, N), between(1, 2, K), K =< N, M is N - K, other(S, T), after(S, T, M, Next).
parts(play(S, N), S, N).
after(S, _, 0, win(S)) :- !.
after(_, T, M, play(T, M)).
other(white, black).
other(black, withe).
terminal(over(_)).
outcome(over(white), win(max)).
outcome(over(black), win(min)).
