% A pair is made in another order than expectations have it.
% code: A0311
% at: 25:13
% help: exchange
% mend 25: |    findall(Good-Town, lies(Good, Town), Goods).
% Market: two merchants walk between the towns of a map and buy the goods that
% lie there. A merchant walks along a road to a free town and buys one good of
% that town, or waits (at most twice in a row, together). The game is over
% when no goods are left or both have waited. The richer merchant wins.
:- use_module(library(alphorn)).
:- op(200, xfx, @).

:- expect(perft(1) = 6).
:- expect(perft(2) = 20).
:- expect(holds(road(inn, mill))).
:- expect(fails(road(inn, port))).
:- expect(holds(move(day(max, [max@inn, min@port], [], [max:0, min:0], 0), wait, day(min, [max@inn, min@port], [], [max:0, min:0], 1)))).
:- expect(fails(move(day(max, [max@inn, min@mill], [silk-mill], [max:0, min:0], 0), buy(mill, silk), _))).
:- expect(holds(terminal(day(max, [max@inn, min@port], [], [max:3, min:4], 0)))).
:- expect(value(day(max, [max@inn, min@port], [], [max:5, min:4], 0)) = win(max)).
:- expect(value(day(max, [max@inn, min@port], [gold-mill], [max:0, min:4], 0)) = win(max)).
:- expect(best(day(max, [max@inn, min@port], [gold-mill, salt-hill], [max:0, min:4], 0), 1) = buy(mill, gold)).

initial(day(max, [max@inn, min@port], Goods, [max:0, min:0], 0)) :-
    findall(Town-Good, lies(Good, Town), Goods).

lies(silk, mill).
lies(gold, lake).
lies(salt, mill).
lies(salt, hill).
lies(wine, farm).
lies(silk, farm).

price(gold, 5).
price(silk, 3).
price(wine, 2).
price(salt, 1).

edge(inn, mill).
edge(inn, hill).
edge(inn, farm).
edge(mill, lake).
edge(hill, lake).
edge(lake, port).
edge(port, farm).

road(A, B) :- edge(A, B).
road(A, B) :- edge(B, A).

max_to_move(day(max, _, _, _, _)).

move(day(P, Places, Goods, Purses, _), buy(Town, Good), day(Q, Places1, Goods1, Purses1, 0)) :-
    rival(P, Q),
    walk(P, Places, Town, Places1),
    select(Good-Town, Goods, Goods1),
    price(Good, Worth),
    pay(P, Worth, Purses, Purses1).
move(day(P, Places, Goods, Purses, Waits), wait, day(Q, Places, Goods, Purses, Waits1)) :-
    rival(P, Q),
    Waits < 2,
    Waits1 is Waits + 1.

% The merchant P walks to a town that is next to P and free.
walk(P, Places, Town, [P@Town|Others]) :-
    select(P@Here, Places, Others),
    road(Here, Town),
    \+ member(_@Town, Others).

% Add Worth to the purse of P.
pay(P, Worth, Purses, Purses1) :-
    maplist(pay_one(P, Worth), Purses, Purses1).

pay_one(P, Worth, P:Old, P:New) :-
    !,
    New is Old + Worth.
pay_one(_, _, Purse, Purse).

rival(max, min).
rival(min, max).

terminal(day(_, _, [], _, _)).
terminal(day(_, _, _, _, 2)).

outcome(day(_, _, _, Purses, _), Result) :-
    lead(Purses, Lead),
    verdict(Lead, Result).

verdict(0, draw).
verdict(Lead, win(max)) :- Lead > 0.
verdict(Lead, win(min)) :- Lead < 0.

lead(Purses, Lead) :-
    memberchk(max:Mine, Purses),
    memberchk(min:Theirs, Purses),
    Lead is Mine - Theirs.

static_eval(day(_, Places, Goods, Purses, _), Value) :-
    lead(Purses, Lead),
    aggregate_all(count, chance_of(max, Places, Goods), Ours),
    aggregate_all(count, chance_of(min, Places, Goods), Theirs),
    Value is 4 * Lead + Ours - Theirs.

chance_of(P, Places, Goods) :-
    memberchk(P@Here, Places),
    road(Here, Town),
    member(_-Town, Goods).

prefer(_, buy(_, Good), Price) :- price(Good, Price).
prefer(_, wait, 0).

show(day(P, Places, Goods, Purses, _), [Turn|Lines]) :-
    format(atom(Turn), "~w to move", [P]),
    findall(Line, line(Places, Purses, Line), Rows),
    format(atom(Last), "goods: ~w", [Goods]),
    append(Rows, [Last], Lines).

line(Places, Purses, Line) :-
    member(P@Town, Places),
    memberchk(P:Gold, Purses),
    format(atom(Line), "~w in ~w has ~w", [P, Town, Gold]).
