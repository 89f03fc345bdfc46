% The horizon effect on one square.  A man stands there; both sides have men that may take what
% stands there, each in its turn, or leave it, which ends the exchange.  A search that stops in
% the middle of it counts the man that was just taken, and not the one that is lost next.
% Source: H. Berliner, Some Necessary Conditions for a Master Chess Program, IJCAI 1973.
%
% on(Side, Man, Mine, Others, Won): Side, to move, may take the other side's Man with the first
% of Mine, the worths of its men; then Others answer.  MAX has won Won until now.

:- use_module(library(alphorn)).

% A queen takes a pawn that a pawn defends: 1 won, then 9 lost.
:- expect(value = 0).
:- expect(best(on(max, 1, [9], [1], 0), 1) = leave).
:- expect(value(on(min, 9, [1], [], 1)) = -8).
% Knight takes pawn, knight takes knight, queen takes knight, knight takes queen: 1 - 3 + 3 - 9.
:- expect(value(on(max, 1, [3, 9], [3, 3], 0), 1) = 0).
:- expect(value(on(max, 1, [3, 9], [3, 3], 0)) = 0).
% With a knight behind the knight the pawn is won: 1 - 3 + 3.
:- expect(value(on(max, 1, [3, 3], [3], 0), 1) = 1).
:- expect(value(on(max, 1, [3, 3], [3], 0)) = 1).

initial(on(max, 1, [9], [1], 0)).
initial(on(max, 1, [3, 9], [3, 3], 0)).
initial(on(max, 1, [3, 3], [3], 0)).

max_to_move(on(max, _, _, _, _)).

move(on(_, _, _, _, Won), leave, left(Won)).
move(on(Side, Man, [Taker|Mine], Others, Won0), take, on(Other, Taker, Others, Mine, Won)) :-
    other(Side, Other, Sign),
    Won is Won0 + Sign * Man.

other(max, min, 1).
other(min, max, -1).

terminal(left(_)).

static_eval(on(_, _, _, _, Won), Won).
static_eval(left(Won), Won).

% What was won counts once nobody can take any more; until then takes are followed.
quiet(on(_, _, [], _, _)).
noisy(_, take).

acyclic.

show(on(Side, Man, Mine, _, Won), [Line]) :-
    format(atom(Line), "~w to move: ~w there, may take with ~w; ~w won", [Side, Man, Mine, Won]).
show(left(Won), [Line]) :-
    format(atom(Line), "over: ~w won", [Won]).
