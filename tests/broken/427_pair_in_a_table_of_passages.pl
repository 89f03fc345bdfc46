% A fact joins the two rooms of a passage, and has a number in place of the second.
% code: A0309
% at: 128:9
% help: write an atom
% mend 128: |passage(tower, attic).
% Heist: a thief (MAX) walks through a museum of eight rooms and picks up gems;
% two guards (MIN) walk too, one of them each turn. The thief wins when he has
% left with all gems through the gate, and loses when a guard is in his room or
% the clock has run out.
:- use_module(library(alphorn)).

:- expect(perft(1) = 2).
:- expect(perft(2) = 4).
:- expect(value = win(min)).
:- expect(value([turn(thief), thief(cellar), guards([attic, tower]), gems([]), clock(3)]) = win(max)).
:- expect(value([turn(guards), thief(attic), guards([salon, tower]), gems([]), clock(3)]) = win(min)).
:- expect(best([turn(thief), thief(cellar), guards([attic, tower]), gems([]), clock(3)], 1)
          = [turn(guards), thief(gate), guards([attic, tower]), gems([]), clock(2)]).
:- expect(holds(terminal([turn(thief), thief(hall), guards([hall, tower]), gems([salon]), clock(5)]))).
:- expect(fails(terminal([turn(thief), thief(hall), guards([salon, tower]), gems([salon]), clock(5)]))).
:- expect(holds(door(hall, cellar))).
:- expect(holds((initial(P), score(P, 6)))).

initial([turn(thief), thief(gate), guards([library, tower]), gems([cellar, salon]), clock(12)]).

max_to_move(Pos) :- memberchk(turn(thief), Pos).

moves(Pos, Successors) :-
    memberchk(turn(Who), Pos),
    findall(Next, turn_of(Who, Pos, Next), Successors).

turn_of(thief, Pos, Next) :-
    memberchk(thief(Here), Pos),
    door(Here, There),
    pick_up(There, Pos, Pos1),
    change(Pos1, thief(Here), thief(There), Pos2),
    end_turn(Pos2, guards, Next).
turn_of(guards, Pos, Next) :-
    memberchk(guards(Guards), Pos),
    select(Guard, Guards, Others),
    door(Guard, There),
    \+ memberchk(There, Others),
    msort([There|Others], New),
    change(Pos, guards(Guards), guards(New), Pos1),
    end_turn(Pos1, thief, Next).

% A thief who enters a room with a gem picks it up.
pick_up(Room, Pos, Next) :-
    memberchk(gems(Gems), Pos),
    (   selectchk(Room, Gems, Left)
    ->  change(Pos, gems(Gems), gems(Left), Next)
    ;   Next = Pos
    ).

end_turn(Pos, Who, Next) :-
    memberchk(clock(N), Pos),
    M is N - 1,
    change(Pos, clock(N), clock(M), Pos1),
    change(Pos1, turn(_), turn(Who), Next).

% change(Pos, Old, New, Next): Next is Pos with the fact New in place of Old.
change([Old|Facts], Old, New, [New|Facts]) :- !.
change([Fact|Facts], Old, New, [Fact|Rest]) :- change(Facts, Old, New, Rest).

terminal(Pos) :- caught(Pos).
terminal(Pos) :- escaped(Pos).
terminal(Pos) :- late(Pos).

outcome(Pos, Result) :-
    (   caught(Pos)  -> Result = win(min)
    ;   escaped(Pos) -> Result = win(max)
    ;   late(Pos)    -> Result = win(min)
    ).

caught(Pos) :-
    memberchk(thief(Room), Pos),
    memberchk(guards(Guards), Pos),
    memberchk(Room, Guards).

escaped(Pos) :-
    memberchk(thief(gate), Pos),
    memberchk(gems([]), Pos).

late(Pos) :- memberchk(clock(0), Pos).

acyclic.

static_eval(Pos, Value) :- score(Pos, Value).

score(Pos, Score) :-
    memberchk(gems(Gems), Pos),
    memberchk(guards(Guards), Pos),
    memberchk(thief(Room), Pos),
    length(Gems, Left),
    findall(G, (member(G, Guards), near(G, Room)), Near),
    length(Near, Danger),
    Score is 10 - 2 * Left - 3 * Danger.

near(A, B) :- door(A, B), !.

prefer(Pos, Next, 5) :-
    memberchk(turn(thief), Pos),
    memberchk(gems(Before), Pos),
    memberchk(gems(After), Next),
    length(Before, N),
    length(After, M),
    M < N.

show(Pos, Lines) :- maplist(fact_line, Pos, Lines).

fact_line(turn(Who), Line) :- atom_concat('to move: ', Who, Line).
fact_line(thief(Room), Line) :- atom_concat('thief in: ', Room, Line).
fact_line(guards(Rooms), Line) :- rooms_line('guards in:', Rooms, Line).
fact_line(gems(Rooms), Line) :- rooms_line('gems in:', Rooms, Line).
fact_line(clock(N), Line) :- atom_concat('turns left: ', N, Line).

rooms_line(Title, Rooms, Line) :- atomic_list_concat([Title|Rooms], ' ', Line).

door(A, B) :- passage(A, B).
door(A, B) :- passage(B, A).

passage(gate, hall).
passage(gate, cellar).
passage(hall, cellar).
passage(hall, salon).
passage(salon, library).
passage(library, tower).
passage(tower-attic, 1).
passage(attic, cellar).
