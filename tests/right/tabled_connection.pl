% A 3x3 connection game (Hex) as a GDL sheet translates: the state is a sorted list of facts.
:- use_module(library(alphorn)).
:- table connected/3.
:- table legal/3.
:- expect(value = win(max)).

initial([cell(1,1,b), cell(1,2,b), cell(1,3,b), cell(2,1,b), cell(2,2,b), cell(2,3,b),
         cell(3,1,b), cell(3,2,b), cell(3,3,b), control(red)]).

true(State, Fact) :- member(Fact, State).

max_to_move(State) :- true(State, control(red)).

% The way through stones of one colour, from the first side.
connected(State, red, X-1) :- true(State, cell(X, 1, red)).
connected(State, blue, 1-Y) :- true(State, cell(1, Y, blue)).
connected(State, P, X-Y) :-
    connected(State, P, A-B),
    adjacent(A-B, X-Y),
    true(State, cell(X, Y, P)).

adjacent(A-B, X-Y) :-
    member(DX-DY, [0-1, 0-(-1), 1-0, (-1)-0, 1-(-1), (-1)-1]),
    X is A + DX, Y is B + DY.

won(State, red) :- connected(State, red, _-3), !.
won(State, blue) :- connected(State, blue, 3-_), !.

terminal(State) :- won(State, _).
outcome(State, win(max)) :- won(State, red).
outcome(State, win(min)) :- won(State, blue).

legal(State, P, mark(X, Y)) :- true(State, control(P)), true(State, cell(X, Y, b)).

next(State, P, mark(X, Y), cell(X, Y, P)) :- true(State, cell(X, Y, b)).
next(State, _, mark(X, Y), cell(A, B, C)) :- true(State, cell(A, B, C)), A-B \== X-Y.
next(_, red, _, control(blue)).
next(_, blue, _, control(red)).

move(State, Move, Next) :-
    legal(State, P, Move),
    setof(Fact, next(State, P, Move, Fact), Next).
