% An expected label has a square with a slash, and squares have a minus.
% code: A0312
% at: 12:27
% help: write 1-1, or remove
% mend 12: |                     jump(1-1, east, 1),
% Konane on a board of 4 x 4: jump over a neighbour into a hole; whoever cannot jump has lost.
:- use_module(library(alphorn)).
:- expect(perft(2) = 12).
:- expect(holds(stone_at(2-3, [[b, w, b, w], [w, b, w, b], [b, w, b, w], [w, b, w, b]], w))).
:- expect(fails(stone_at(5-1, [[b, w, b, w], [w, b, w, b], [b, w, b, w], [w, b, w, b]], _))).
:- expect(holds(move(konane(play, max, [[b, w, e, w], [w, b, e, e], [e, w, b, w], [w, b, w, e]]),
                     jump(1/1, east, 1),
                     konane(play, min, [[e, e, b, w], [w, b, e, e], [e, w, b, w], [w, b, w, e]])))).
:- expect(best(konane(play, max, [[b, w, e, w], [e, e, w, e], [e, w, b, e], [e, e, e, w]]), 4) = jump(3-3, north, 1)).
:- expect(value(konane(play, min, [[e, w, e, e], [e, e, e, e], [e, b, e, b], [e, e, e, w]])) = win(min)).
:- expect(value(konane(play, min, [[b, w, e, w], [w, b, e, e], [e, w, b, w], [e, b, w, e]]), 1) = 2).
:- expect(holds(shown_move(_, jump(3-3, north, 1), '33n1'))).

initial(konane(start, max, Rows)) :-
    Odd = [b, w, b, w],
    Even = [w, b, w, b],
    Rows = [Odd, Even, Odd, Even].

max_to_move(konane(_, max, _)).

move(konane(start, Who, Rows), lift(At), konane(second(At), Foe, Rows1)) :-
    foe(Who, Foe),
    colour(Who, Stone),
    member(At, [1-1, 2-2, 3-3, 4-4]),
    stone_at(At, Rows, Stone),
    paint([At-e], Rows, Rows1).
move(konane(second(Hole), Who, Rows), lift(At), konane(play, Foe, Rows1)) :-
    foe(Who, Foe),
    step(_, Hole, At),
    colour(Who, Stone),
    stone_at(At, Rows, Stone),
    paint([At-e], Rows, Rows1).
move(konane(play, Who, Rows), jump(From, Way, Times), konane(play, Foe, Rows1)) :-
    foe(Who, Foe),
    colour(Who, Mine),
    colour(Foe, Yours),
    stone_at(From, Rows, Mine),
    hops(From, Way, Rows, Yours, To, Times, Changes),
    paint([From-e, To-Mine|Changes], Rows, Rows1).

% hops(From, Way, Rows, Yours, To, Times, Changes): one or more hops in a straight line.
hops(From, Way, Rows, Yours, To, Times, [Over-e|More]) :-
    step(Way, From, Over),
    stone_at(Over, Rows, Yours),
    step(Way, Over, Next),
    stone_at(Next, Rows, e),
    further(Next, Way, Rows, Yours, To, Before, More),
    Times is Before + 1.

further(Here, _, _, _, Here, 0, []).
further(Here, Way, Rows, Yours, To, Times, Changes) :-
    hops(Here, Way, Rows, Yours, To, Times, Changes).

step(Way, R-C, R1-C1) :-
    heading(Way, DR/DC),
    R1 is R + DR,
    C1 is C + DC.

heading(north, -1/0).
heading(south, 1/0).
heading(east, 0/1).
heading(west, 0/ -1).

stone_at(R-C, Rows, Stone) :-
    nth1(R, Rows, Row),
    nth1(C, Row, Stone).

paint([], Rows, Rows).
paint([(R-C)-New|Rest], Rows0, Rows) :-
    nth1(R, Rows0, Row0, Others),
    nth1(C, Row0, _, Stones),
    nth1(C, Row, New, Stones),
    nth1(R, Rows1, Row, Others),
    paint(Rest, Rows1, Rows).

no_moves(loss).
acyclic.

static_eval(konane(_, _, Rows), Value) :-
    free(max, Rows, A),
    free(min, Rows, B),
    Value is A - B.

% how many stones of a player can jump
free(Who, Rows, Count) :-
    colour(Who, Mine),
    foe(Who, Foe),
    colour(Foe, Yours),
    findall(From,
            ( stone_at(From, Rows, Mine), once(hops(From, _, Rows, Yours, _, _, _)) ),
            Froms),
    length(Froms, Count).

foe(max, min).
foe(min, max).

colour(max, b).
colour(min, w).

prefer(konane(play, _, _), jump(_, _, Times), Weight) :- Weight is -Times.
prefer(konane(start, _, _), lift(R-C), Weight) :- Weight is R + C.
prefer(konane(second(R-_), _, _), lift(R1-_), Weight) :- Weight is abs(R1 - R).

shown_move(_, lift(R-C), Text) :- format(atom(Text), 'x~w~w', [R, C]).
shown_move(_, jump(R-C, Way, Times), Text) :-
    atom_chars(Way, [Letter|_]),
    format(atom(Text), '~w~w~w~w', [R, C, Letter, Times]).

show(konane(_, Who, Rows), Lines) :-
    maplist(line, Rows, Board),
    colour(Who, Stone),
    format(atom(Turn), '~w (~w) to move', [Who, Stone]),
    append(Board, [Turn], Lines).

line(Row, Line) :- maplist(sign, Row, Signs), atomic_list_concat(Signs, ' ', Line).

sign(e, '.').
sign(b, b).
sign(w, w).
