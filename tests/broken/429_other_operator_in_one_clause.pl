% One of two clauses answers with another operator than its argument has.
% code: A0309
% at: 51:25
% help: write Max1/Min
% mend 51: |count_off(max, Max/Min, Max1/Min) :- Max1 is Max + 1.
% Dodgem on 3 x 3: MAX drives two cars north, MIN two cars east; leave the board first.
:- use_module(library(alphorn)).
:- expect(perft(1) = 3).
:- expect(perft([turn-max, cars(max)-[2/3, 3/1], cars(min)-[1/2], off-0/1], 2) = 14).
:- expect(value = win(max)).
:- expect(value([turn-min, cars(max)-[2/3], cars(min)-[3/1], off-1/1]) = win(min)).
:- expect(value([turn-max, cars(max)-[2/2, 3/2], cars(min)-[1/2, 1/3], off-0/0], 1) = 3).
:- expect(best([turn-min, cars(max)-[2/2], cars(min)-[3/3], off-1/1], 1)
          = [turn-max, cars(max)-[2/2], cars(min)-[], off-1/2]).
:- expect(holds(ways(min, [east, north, south]))).
:- expect(fails(on_board(0/2))).
:- expect(holds(shown_move([turn-min, cars(max)-[2/2], cars(min)-[3/3], off-1/1],
                           [turn-max, cars(max)-[2/2], cars(min)-[], off-1/2], 'c3-off'))).

initial([turn-max, cars(max)-[2/1, 3/1], cars(min)-[1/2, 1/3], off-0/0]).

max_to_move(Pos) :- fact(turn, Pos, max).

moves(Pos, Nexts) :- findall(Next, drive(Pos, Next), Nexts).

drive(Pos, Next) :-
    fact(turn, Pos, Who),
    rival(Who, Rival),
    fact(cars(Who), Pos, Cars),
    select(Car, Cars, Others),
    ways(Who, Ways),
    member(Way, Ways),
    ahead(Way, Car, Place),
    arrive(Who, Way, Place, Others, Pos, Pos1),
    change(turn, Rival, Pos1, Next).

% arrive(Who, Way, Place, Others, Pos, Next): the car enters a free square, or leaves the board.
arrive(Who, _, Place, Others, Pos, Next) :-
    on_board(Place),
    \+ taken(Place, Pos),
    sort([Place|Others], Cars),
    change(cars(Who), Cars, Pos, Next).
arrive(Who, Way, Place, Others, Pos, Next) :-
    \+ on_board(Place),
    ways(Who, [Way|_]),
    change(cars(Who), Others, Pos, Pos1),
    fact(off, Pos, Max/Min),
    count_off(Who, Max/Min, Off),
    change(off, Off, Pos1, Next).

count_off(max, Max/Min, Max1-Min) :- Max1 is Max + 1.
count_off(min, Max/Min, Max/Min1) :- Min1 is Min + 1.

% the first way of a player leads off the board
ways(max, [north, west, east]).
ways(min, [east, north, south]).

ahead(north, X/Y, X/Y1) :- Y1 is Y + 1.
ahead(south, X/Y, X/Y1) :- Y1 is Y - 1.
ahead(east, X/Y, X1/Y) :- X1 is X + 1.
ahead(west, X/Y, X1/Y) :- X1 is X - 1.

on_board(X/Y) :- between(1, 3, X), between(1, 3, Y).

taken(Place, Pos) :-
    member(cars(_)-Cars, Pos),
    memberchk(Place, Cars).

fact(Key, Pos, Value) :- memberchk(Key-Value, Pos).

change(Key, Value, Pos, Next) :-
    append(Before, [Key-_|After], Pos),
    !,
    append(Before, [Key-Value|After], Next).

terminal(Pos) :- fact(off, Pos, Max/Min), ( Max =:= 2 ; Min =:= 2 ).
terminal(Pos) :- blocked(Pos).

blocked(Pos) :- \+ drive(Pos, _).

% whoever blocks the other player has lost
outcome(Pos, win(max)) :- fact(off, Pos, 2/_), !.
outcome(Pos, win(min)) :- fact(off, Pos, _/2), !.
outcome(Pos, win(Who)) :- fact(turn, Pos, Who).

static_eval(Pos, Value) :-
    way_left(max, Pos, Mine),
    way_left(min, Pos, Yours),
    Value is Yours - Mine.

way_left(Who, Pos, Sum) :-
    fact(cars(Who), Pos, Cars),
    maplist(distance(Who), Cars, Distances),
    sum_list(Distances, Sum).

distance(max, _/Y, D) :- D is 4 - Y.
distance(min, X/_, D) :- D is 4 - X.

rival(max, min).
rival(min, max).

% short moves to the goal first
prefer(Pos, Next, Weight) :-
    fact(turn, Pos, Who),
    way_left(Who, Pos, Before),
    way_left(Who, Next, After),
    Weight is Before - After.

shown_move(Pos, Next, Text) :-
    fact(turn, Pos, Who),
    fact(cars(Who), Pos, Old),
    fact(cars(Who), Next, New),
    subtract(Old, New, [From]),
    square(From, A),
    target(Old, New, B),
    format(atom(Text), '~w-~w', [A, B]).

target(Old, New, Name) :- subtract(New, Old, [To]), !, square(To, Name).
target(_, _, off).

square(X/Y, Name) :- nth1(X, [a, b, c], File), atom_concat(File, Y, Name).

show(Pos, Lines) :-
    findall(Line, ( member(Y, [3, 2, 1]), row(Y, Pos, Line) ), Lines).

row(Y, Pos, Line) :-
    findall(Sign, ( between(1, 3, X), sign(X/Y, Pos, Sign) ), Signs),
    atomic_list_concat(Signs, ' ', Line).

sign(Place, Pos, '^') :- fact(cars(max), Pos, Cars), memberchk(Place, Cars), !.
sign(Place, Pos, '>') :- fact(cars(min), Pos, Cars), memberchk(Place, Cars), !.
sign(_, _, '.').
