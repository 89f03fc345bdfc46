% NAME: take the first card of an open row; numbers and colours score.
%
% The rules: the cards lie in four rows, all open. MAX begins, and MAX and MIN take one card in
% turn: the first card of a row. The game ends when no card is left. Each card scores its number.
% For each colour, the player with more cards of this colour gets a bonus. The player with more
% points wins.

:- use_module(library(alphorn)).

% Change these numbers first: name, value, lowest..highest, meaning.
:- param(bonus, 5, 0..50, "points for most cards of a colour").
% The weights of the evaluation.
:- param(point, 10, 0..100, "worth of a point").
:- param(colour, 20, 0..100, "worth of more cards of a colour than the other player").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 4).
:- expect(perft(2) = 16).
:- expect(holds((findall(Card, move(pos(max, [[r2, b1], [], [g3]], [], []), Card, _), [r2, g3])))).
:- expect(best(pos(max, [[r2], [g3]], [r1], [b1]), 2) = g3).
:- expect(value(pos(max, [[r2]], [r1], [g1]), 1) = 999999).
:- expect(holds(points([r1, r4, g4], [r3, g1, g2], 14))).
:- expect(holds((initial(pos(max, Rows, [], [])), append(Rows, Cards), length(Cards, 16)))).
:- expect(fails(move(pos(max, [[r2, g3], [b4]], [], []), g3, _))).

% card(Name, Colour, Number): the cards of the game. Other cards and colours go here.
card(r1, r, 1). card(r2, r, 2). card(r3, r, 3). card(r4, r, 4).
card(g1, g, 1). card(g2, g, 2). card(g3, g, 3). card(g4, g, 4).
card(b1, b, 1). card(b2, b, 2). card(b3, b, 3). card(b4, b, 4).
card(y1, y, 1). card(y2, y, 2). card(y3, y, 3). card(y4, y, 4).

% A position is pos(Player to move, Rows, Cards of MAX, Cards of MIN). The cards of a player are in
% alphabetical order, so that the same position is always the same term. Each fact is a deal: type
% --opening 2 for the second deal. Another deal goes here.
initial(pos(max, [[r4, y3, g4, b2], [y2, b4, g1, g2], [y1, b1, r2, r1], [y4, g3, r3, b3]], [], [])).
initial(pos(max, [[y4, b1, g4, r2], [y2, b4, g2, r1], [r4, r3, y1, b3], [b2, y3, g1, g3]], [], [])).
initial(pos(max, [[g1, b4, y3, r1], [r3, b2, y1, g3], [b3, g2, y2, g4], [r4, y4, r2, b1]], [], [])).

max_to_move(pos(max, _, _, _)).

% A move is the name of a card: r4. Another rule for the cards that one may take goes here.
move(pos(Player, Rows, Max, Min), Card, pos(Other, Next, Max1, Min1)) :-
    select([Card|Row], Rows, Row, Next),
    takes(Player, Card, Max, Min, Other, Max1, Min1).

takes(max, Card, Max, Min, min, Max1, Min) :- msort([Card|Max], Max1).
takes(min, Card, Max, Min, max, Max, Min1) :- msort([Card|Min], Min1).

terminal(pos(_, Rows, _, _)) :-
    \+ member([_|_], Rows).

outcome(pos(_, _, Max, Min), Result) :-
    points(Max, Min, ForMax),
    points(Min, Max, ForMin),
    (   ForMax > ForMin
    ->  Result = win(max)
    ;   ForMax < ForMin
    ->  Result = win(min)
    ;   Result = draw
    ).

% Points of the cards Own at the end, against Others. Points for sets of cards go here.
points(Own, Others, Points) :-
    param(bonus, Bonus),
    sum(Own, Sum),
    aggregate_all(count, ( lead(_, Own, Others, Lead), Lead > 0 ), Colours),
    Points is Sum + Bonus * Colours.

sum(Cards, Sum) :-
    aggregate_all(sum(Number), ( member(Card, Cards), card(Card, _, Number) ), Sum).

% Own has Lead cards of Colour more than Others. Each colour is one answer.
lead(Colour, Own, Others, Lead) :-
    member(Colour, [r, g, b, y]),
    aggregate_all(count, ( member(Card, Own), card(Card, Colour, _) ), Mine),
    aggregate_all(count, ( member(Card, Others), card(Card, Colour, _) ), Theirs),
    Lead is Mine - Theirs.

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(_, _, Max, Min), Value) :-
    param(point, Point),
    param(colour, Colour),
    sum(Max, ForMax),
    sum(Min, ForMin),
    aggregate_all(sum(sign(Lead)), lead(_, Max, Min, Lead), Leads),
    Value is Point * (ForMax - ForMin) + Colour * Leads.

% No position occurs twice in a game.
acyclic.

show(pos(_, Rows, Max, Min), Lines) :-
    findall(Line, ( nth1(I, Rows, Row), line(I, Row, Line) ), Above),
    line('MAX', Max, First),
    line('MIN', Min, Second),
    append(Above, [First, Second], Lines).

line(Title, Cards, Line) :-
    atomic_list_concat(Cards, ' ', Text),
    atomic_list_concat([Title, ': ', Text], Line).
