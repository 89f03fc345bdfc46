% Snort on a 3 x 3 pasture: MAX puts bulls, MIN cows; neighbours of different kinds are not allowed.
% pasture(Side, Fields): Fields is an association list from X-Y to bull, cow or grass.
:- use_module(library(alphorn)).
:- param(side, 3, 2..4, "fields along a side").
:- expect(perft(1) = 9).
:- expect(value = win(max)).
:- expect(holds((initial(P), move(P, put(bull, 2-2), _)))).
:- expect(holds((initial(P), tally(P, 0)))).
:- expect(fails((initial(P), move(P, put(cow, 2-2), _)))).

initial(pasture(max, Fields)) :-
    param(side, N),
    findall(X-Y - grass, ( between(1, N, X), between(1, N, Y) ), Pairs),
    list_to_assoc(Pairs, Fields).

max_to_move(pasture(max, _)).

beast(max, bull).
beast(min, cow).

rival(max, min).
rival(min, max).

move(pasture(Side, Fields), put(Beast, X-Y), pasture(Other, Next)) :-
    rival(Side, Other),
    beast(Side, Beast),
    beast(Other, Enemy),
    gen_assoc(X-Y, Fields, grass),
    \+ near(Fields, X-Y, Enemy),
    put_assoc(X-Y, Fields, Beast, Next).

near(Fields, X-Y, Beast) :-
    step(DX, DY),
    X1 is X + DX,
    Y1 is Y + DY,
    get_assoc(X1-Y1, Fields, Beast).

step(0, 1).
step(0, -1).
step(1, 0).
step(-1, 0).

no_moves(loss).
acyclic.

tally(pasture(_, Fields), Count) :-
    assoc_to_values(Fields, Values),
    foldl(count, Values, 0, Count).

count(bull, C, D) :- D is C + 1.
count(cow, C, D) :- D is C - 1.
count(grass, C, C).

static_eval(Pos, Value) :- tally(Pos, Value).

prefer(pasture(_, Fields), put(Beast, Field), Weight) :-
    (   near(Fields, Field, Beast)
    ->  Weight = 1
    ;   Weight = 0
    ).

show(pasture(_, Fields), Lines) :-
    param(side, N),
    numlist(1, N, Ys),
    maplist(line_text(N, Fields), Ys, Lines).

line_text(N, Fields, Y, Line) :-
    findall(Sign, ( between(1, N, X), get_assoc(X-Y, Fields, What), sign(What, Sign) ), Signs),
    atomic_list_concat(Signs, ' ', Line).

sign(bull, 'B').
sign(cow, 'C').
sign(grass, '.').
