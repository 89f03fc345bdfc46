% gives: A0201, A0201, A0201, A0201, A0201
:- use_module(library(alphorn)).
initial(left(max, 21)).
max_to_move(left(max, _)).
move(left(max, N), take(K), left(min, M)) :- between(1, 3, K), K =< N, M is N - K.
move(left(min, N), take(K), left(max, M)) :- between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(max, 0), win(min)).
outcome(left(min, 0), win(max)).

good :: if multiple(Pos) then [leave_four(Pos)].
tenth :: if matches = 10 then [leave_four(_)].
same :: if multiple(4) then [leave_four(_)].
other :: if size(4, _) then [leave_four(_)].
advice(leave_four(_), [better(multiple), holding(not root(matches))]).
multiple(left(_, N)) :- N mod 4 =:= 0.
size(N, left(_, N)).
matches(left(_, N), N).
