% every position makes long atoms that are no numbers, and reads them as numbers while its moves are asked
initial(0).
max_to_move(N) :- N mod 2 =:= 0.
move(N, a, M) :- N < 100000000, \+ reads_number(N), M is 2*N+1.
move(N, b, M) :- N < 100000000, M is 2*N+2.
% Succeeds where one of them is a number: a name, a name behind a sign, behind a number, between quotes, and symbols.
reads_number(N) :- shape(Shape), format(atom(A), Shape, [N]), atom_number(A, _).
reads_number(N) :- format(atom(A), "'w~w~`xt~9000|'", [N]), atom_codes(A, Codes), catch(number_codes(_, Codes), _, fail).
shape("w~w~`xt~9000|").
shape("- w~w~`xt~9000|").
shape("~w w~`xt~9000|").
shape("-~`*t~9000|~w").
shape("/* ~w */ ~`yt~9000|").
static_eval(N, V) :- V is N mod 7.
acyclic.
