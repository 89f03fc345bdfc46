% NAME: play cards to three places; the greater sum wins a place, and two places win.
%
% The rules: all hands are open. MAX begins, and MAX and MIN play one card in turn from the hand to
% one of the places a, b and c. A player can play two cards to each place. The game ends when all
% cards are played. The player with the greater sum at a place wins the place. If the sums are
% equal, the player with the highest card there wins the place. The player with more places wins.

:- use_module(library(alphorn)).

% Change this number first: name, value, lowest..highest, meaning.
:- param(room, 2, 2..6, "cards of a player at a place, at most").
% The weights of the evaluation.
:- param(ahead, 20, 0..100, "worth of the greater sum at a place").
:- param(hand, 2, 0..100, "worth of each pip in the hand").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 18).
:- expect(perft(2) = 324).
:- expect(holds((findall(M, move(pos(max, [5], [], [at(a, [1, 4], []), at(b, [8], [])]), M, _),
                         [5-b])))).
:- expect(best(pos(max, [9], [7], [at(a, [4], [2, 3]), at(b, [5, 6], [8])]), 2) = 9-a).
:- expect(value(pos(min, [], [7], [at(a, [4, 9], [2, 3]), at(b, [5, 6], [8])]), 1) = 0).
:- expect(holds(winner(at(a, [8, 1], [5, 4]), max))).
:- expect(holds(winner(at(a, [4, 5], [2, 8]), min))).
:- expect(fails(move(pos(max, [5], [], [at(a, [1, 4], [])]), _, _))).

% A position is pos(Player to move, Hand of MAX, Hand of MIN, Table). The table is a list of
% at(Place, Cards of MAX, Cards of MIN). Other hands and more places go here. No card occurs twice.
% With 18 cards, 3 cards of a player must have room at a place: -p room=3.
initial(pos(max, [1, 4, 5, 8, 9, 12], [2, 3, 6, 7, 10, 11], Table)) :-
    findall(at(Place, [], []), member(Place, [a, b, c]), Table).

max_to_move(pos(max, _, _, _)).

% A move is a card and a place: 5-b.
move(pos(max, Max, Min, Table), Card-Place, pos(min, Left, Min, Next)) :-
    select(Card, Max, Left),
    member(at(Place, Own, Others), Table),
    plays(Card, Own, More),
    selectchk(at(Place, Own, Others), Table, at(Place, More, Others), Next).
move(pos(min, Max, Min, Table), Card-Place, pos(max, Max, Left, Next)) :-
    select(Card, Min, Left),
    member(at(Place, Others, Own), Table),
    plays(Card, Own, More),
    selectchk(at(Place, Others, Own), Table, at(Place, Others, More), Next).

% A card comes to the cards of the same player at a place. Another rule for this goes here.
plays(Card, Own, More) :-
    param(room, Room),
    length(Own, Count),
    Count < Room,
    msort([Card|Own], More).

terminal(pos(_, [], [], _)).

outcome(pos(_, _, _, Table), Result) :-
    lead(Table, Lead),
    (   Lead > 0
    ->  Result = win(max)
    ;   Lead < 0
    ->  Result = win(min)
    ;   Result = draw
    ).

% Lead is the number of places that MAX wins minus the number of places that MIN wins.
lead(Table, Lead) :-
    aggregate_all(count, ( member(At, Table), winner(At, max) ), ForMax),
    aggregate_all(count, ( member(At, Table), winner(At, min) ), ForMin),
    Lead is ForMax - ForMin.

% Who wins a place with these cards. Fails if there is no card.
winner(at(_, Max, Min), Winner) :-
    sum_list(Max, ForMax),
    sum_list(Min, ForMin),
    (   ForMax =:= ForMin
    ->  max_list(Max, HighMax),
        max_list(Min, HighMin),
        higher(HighMax, HighMin, Winner)
    ;   higher(ForMax, ForMin, Winner)
    ).

higher(A, B, Winner) :-
    (   A > B
    ->  Winner = max
    ;   Winner = min
    ).

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(_, Max, Min, Table), Value) :-
    param(ahead, Ahead),
    param(hand, Hand),
    lead(Table, Lead),
    sum_list(Max, InMax),
    sum_list(Min, InMin),
    Value is Ahead * Lead + Hand * (InMax - InMin).

% No position occurs twice in a game.
acyclic.

show(pos(_, Max, Min, Table), [First|Lines]) :-
    line('', ['MAX'], ['MIN'], First),
    findall(Line, ( member(at(Place, A, B), Table), line(Place, A, B, Line) ), Places),
    line(hand, Max, Min, Last),
    append(Places, [Last], Lines).

line(Title, Max, Min, Line) :-
    atomic_list_concat(Max, ' ', MaxText),
    atomic_list_concat(Min, ' ', MinText),
    format(atom(Line), "~w~t~6|~w~t~24|~w", [Title, MaxText, MinText]).
