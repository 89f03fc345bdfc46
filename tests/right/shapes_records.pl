% Right: positions are lists of fixed parts, taken apart in heads.
% Ferry: a row of stones as a list; the players take turns to move a stone of their own one or two
% places to the right, or to push a single stone of the other off its place. Positions are lists:
%   [turn(Side), row(Cells), left(N)]     or   [done, Winner]
:- use_module(library(alphorn)).
:- param(plies, 6, 1..20, "after so many plies it is a draw").
:- expect(perft(1) = 2).
:- expect(value([done, red]) = win(max)).
:- expect(value([turn(red), row([red,empty]), left(1)]) = win(max)).
:- expect(best([turn(red), row([red,empty]), left(1)], 1) = step(1,2)).
:- expect(holds(terminal([done, nobody]))).
:- expect(fails(terminal([turn(red), row([red,blue]), left(3)]))).

initial([turn(red), row([red,blue,empty,empty,empty]), left(N)]) :- param(plies, N).

max_to_move([turn(red)|_]).
min_to_move([turn(blue)|_]).

terminal([done, _]).

outcome([done, red], win(max)).
outcome([done, blue], win(min)).
outcome([done, nobody], draw).

enemy(red, blue).
enemy(blue, red).

move([turn(S), row(Cells), left(N)], Label, Next) :-
    nth1(I, Cells, S),
    jump(S, Cells, I, Label, After),
    M is N - 1,
    continue(S, After, M, Next).

jump(_, Cells, I, step(I, J), After) :-
    member(D, [1, 2]),
    J is I + D,
    nth1(J, Cells, empty),
    swap(Cells, I, J, After).
jump(S, Cells, I, kick(I), After) :-
    enemy(S, E),
    J is I + 1,
    nth1(J, Cells, E),
    K is J + 1,
    nth1(K, Cells, empty),
    swap(Cells, J, K, After).
jump(_, _, I, hold(I), same).

swap(Cells, I, J, After) :-
    nth1(I, Cells, A), nth1(J, Cells, B),
    put(Cells, I, B, C1), put(C1, J, A, After).

put([_|T], 1, X, [X|T]) :- !.
put([H|T], I, X, [H|R]) :- I1 is I - 1, put(T, I1, X, R).

continue(S, same, M, Next) :- !, M < 0, Next = [done, S].
continue(S, After, _, [done, S]) :- last(After, S), !.
continue(_, _, 0, [done, nobody]) :- !.
continue(S, After, M, [turn(E), row(After), left(M)]) :- enemy(S, E).

no_moves(draw).
acyclic.

static_eval([done|_], 0).
static_eval([turn(_), row(Cells), _], V) :- nth1(I, Cells, red), nth1(J, Cells, blue), V is I - J.

prefer(_, kick(_), 5).
prefer(_, step(_, J), J).
noisy([turn(_)|_], kick(_)).
quiet([done|_]).
quiet([turn(_), row(_), left(_)]).

show([turn(S), row(Cells), left(N)], [Line, Below]) :-
    atomic_list_concat(Cells, ' ', Line),
    format(atom(Below), '~w to move, ~w left', [S, N]).
show([done, W], [Line]) :- atom_concat('won by ', W, Line).
shown_move(_, step(I, J), Text) :- format(atom(Text), '~w>~w', [I, J]).
shown_move(_, kick(I), Text) :- format(atom(Text), '~wx', [I]).
