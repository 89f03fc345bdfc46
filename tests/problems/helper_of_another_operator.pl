% gives: A0309
% A place is X/Y. One clause of the helper takes X-Y, and is the only one that makes it.
initial(walk(max, [max-1/1, min-3/3], 6)).
max_to_move(walk(max, _, _)).
move(walk(Turn, Places, N), go(To), walk(Other, [Turn-To|Rest], M)) :-
    N > 0, M is N - 1, other(Turn, Other),
    select(Turn-From, Places, Rest), step(From, To), \+ memberchk(_-To, Rest).
step(X-Y, X1-Y) :- X1 is X mod 3 + 1.
step(X/Y, X/Y1) :- Y1 is Y mod 3 + 1.
terminal(walk(_, _, 0)).
static_eval(walk(_, Places, _), V) :- memberchk(max-(X/Y), Places), V is X + Y.
acyclic.
other(max, min).
other(min, max).
