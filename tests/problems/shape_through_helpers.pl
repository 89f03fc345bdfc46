% gives: A0311
% Positions are made by a helper; the clause has the arguments of an older version.
initial(P) :- made(white, [], P).
made(Side, Taken, world(Side, Taken, true)).
max_to_move(world(white, _, _)).
move(world(S, T, _), N, Next) :- between(1, 4, N), \+ memberchk(N, T), other(S, R), made(R, [N|T], Next).
terminal(world(_, [_, _, _, _], _)).
static_eval(world(_, [N, _, _, _], _), N) :- !.
static_eval(world(_, T), V) :- length(T, V).
static_eval(_, 0).
acyclic.
other(white, black).
other(black, white).
