% is, where two numbers are compared.
% code: A0307
% at: 24:25 24:33
% help: =:=
% mend 24: |multiple(left(_, N)) :- N mod 4 =:= 0.
:- use_module(library(alphorn)).

initial(left(max, 9)).
max_to_move(left(max, _)).
move(left(Player, N), take(K), left(Other, M)) :-
    other(Player, Other), between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(Player, 0), win(Winner)) :- other(Player, Winner).
acyclic.
other(max, min).
other(min, max).

good :: if not multiple then [leave_four].
otherwise :: if true then [wait].

advice(leave_four, [better(multiple), us(at(0, legal)), them([])]).
advice(wait, [better(matches < root(matches)), us(at(0, one)), them([])]).

multiple(left(_, N)) :- N mod 4 is 0.
matches(left(_, N), N).
move_class(one, _, take(1), _).

prefer(_, take(K), K).
