% A format text takes three arguments, and the list has two.
% code: A0309
% at: 13:73
% help: write one argument for each directive
% mend 13: |shown_move(_, jump(X, Dir), Text) :- format(atom(Text), '~wx~w~t~6|~a', [X, Dir, end]).
% Two players in turn walk along a strip.
initial(at(max, 1)).
max_to_move(at(max, _)).
move(at(max, X), step(X, on), at(min, Y)) :- X < 6, Y is X + 1.
move(at(min, X), jump(X, on), at(max, Y)) :- X < 6, Y is X + 2.
no_moves(loss).
acyclic.
shown_move(_, jump(X, Dir), Text) :- format(atom(Text), '~wx~w~t~6|~a', [X, Dir]).
shown_move(_, step(X, Dir), Text) :- format(atom(Text), '~w~*c~w~n~~', [X, 2, 0'-, Dir]).
