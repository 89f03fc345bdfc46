% gives: A0201, A0201, A0201, A0201, A0201
:- use_module(library(alphorn)).
initial(left(max, 21)).
max_to_move(left(max, _)).
move(left(max, N), take(K), left(min, M)) :- between(1, 3, K), K =< N, M is N - K.
move(left(min, N), take(K), left(max, M)) :- between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(max, 0), win(min)).
outcome(left(min, 0), win(max)).

:- param(most, 3, 1..5, "matches that one may take").
good :: if multiple < 4 then [leave_four].
square :: if matches ** 2 > 16 then [leave_four].
small :: if matches < most then [leave_four].
given :: if matches(_) < 4 then [leave_four].
both :: if matches(_, _) < 4 then [leave_four].
advice(leave_four, [better(multiple)]).
multiple(left(_, N)) :- N mod 4 =:= 0.
matches(left(_, N), N) :- param(most, _).
