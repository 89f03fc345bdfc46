% gives: A0705, A0705, A0706
:- use_module(library(alphorn)).
initial(left(max, 21)).
max_to_move(left(max, _)).
move(left(max, N), take(K), left(min, M)) :- between(1, 3, K), K =< N, M is N - K.
move(left(min, N), take(K), left(max, M)) :- between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(max, 0), win(min)).
outcome(left(min, 0), win(max)).

always :: if true then [wait].
never :: if few then [wait].
advice(wait, [better(matches), holding(not few or matches > 0 and not half and nearer)]).
few(Pos) :- matches(Pos, N), N < 4.
matches(left(_, N), N).
half(left(_, N), M) :- M is N // 2.
% With both the name is a goal, and in comparisons a number.
nearer(left(_, N)) :- N < 9.
nearer(left(_, N), N).
