% The text of a move takes a label apart that has one argument more.
% code: A0309
% at: 89:1
% help: compare its heads
% run: --playouts 20
% mend 90: |    Label =.. [Verb, What],
% Two merchants share the water of a well and load goods on their camels.
% caravan(Turn, Water, MaxLoad, MinLoad, Goods); a load is load(Weight, Price).
:- use_module(library(alphorn)).
:- param(water, 9, 1..20, "jugs of water at first").

initial(caravan(max, W, load(0, 0), load(0, 0), Goods)) :-
    param(water, W),
    findall(G, good(G, _, _, _), Goods).

% good(Name, Weight, Price, Kind)
good(salt,   1, 2, food).
good(dates,  2, 3, food).
good(silk,   2, 5, cloth).
good(wool,   3, 4, cloth).
good(copper, 4, 7, metal).
good(amber,  1, 4, gem).

% carry(Player, Limit)
carry(max, 6).
carry(min, 7).

% spoil(Kind, Loss): the loss of price if the goods lie in the sun
spoil(food, 2).
spoil(cloth, 1).
spoil(metal, 0).
spoil(gem, 0).

max_to_move(caravan(max, _, _, _, _)).

move(caravan(P, W, A, B, Goods), Label, caravan(Q, W1, A1, B1, Goods1)) :-
    rival(P, Q),
    (   Label = take(G),
        select(G, Goods, Goods1),
        good(G, Weight, Price, _),
        load(P, Weight, Price, A, B, A1, B1),
        W1 is W - 1
    ;   Label = bury(G),
        Goods = [G|Goods1],
        A1 = A, B1 = B,
        good(G, _, _, Kind),
        spoil(Kind, Loss),
        W1 is W - 1 - Loss,
        W1 >= 0
    ;   Label = pour(N),
        between(2, 3, N),
        N =< W,
        W1 is W - N,
        A1 = A, B1 = B, Goods1 = Goods
    ).

load(max, Weight, Price, load(W, V), B, load(W1, V1), B) :-
    carry(max, Limit), W1 is W + Weight, W1 =< Limit, V1 is V + Price.
load(min, Weight, Price, A, load(W, V), A, load(W1, V1)) :-
    carry(min, Limit), W1 is W + Weight, W1 =< Limit, V1 is V + Price.

rival(max, min).
rival(min, max).

terminal(caravan(_, W, _, _, Goods)) :- ( W =< 0 ; Goods == [] ), !.

outcome(caravan(_, _, load(_, A), load(_, B), _), score(D)) :- D is A - B.

static_eval(caravan(_, W, load(_, A), load(_, B), Goods), V) :-
    (   W > 0, Goods \== []
    ->  bonus(Goods, W, Bonus)
    ;   Bonus = 0
    ),
    V is A - B + Bonus.

bonus(Goods, W, Bonus) :-
    aggregate_all(max(P), ( member(G, Goods), good(G, _, P, _) ), Best),
    Bonus is min(W, Best) / 4.

no_moves(eval).
acyclic.

prefer(caravan(_, _, _, _, _), Label, Weight) :-
    (   Label = take(G) -> good(G, _, Weight, _)
    ;   Label = bury(_) -> Weight = 1
    ;   Label = pour(N) -> Weight is -N
    ).

shown_move(_, Label, Text) :-
    Label =.. [Verb, What, _],
    format(atom(Text), '~w ~w', [Verb, What]).

show(caravan(P, W, load(_, A), load(_, B), Goods), [L1, L2, L3]) :-
    format(atom(L1), '~w to move, water ~d', [P, W]),
    format(atom(L2), 'max ~d, min ~d', [A, B]),
    atomic_list_concat(Goods, ' ', L3).

:- expect(perft(1) = 9).
:- expect(perft(caravan(min, 3, load(1, 4), load(2, 5), [wool, copper]), 2) = 10).
:- expect(value = 1).
:- expect(value(caravan(max, 2, load(0, 0), load(7, 9), [copper, amber])) = -2).
:- expect(value(caravan(min, 1, load(4, 7), load(2, 5), [salt, dates]), 1) = -1).
:- expect(best(caravan(max, 2, load(0, 0), load(7, 9), [amber, copper]), 2) = take(copper)).
:- expect(best(caravan(min, 3, load(6, 9), load(0, 0), [salt]), 1) = take(salt)).
:- expect(holds(move(caravan(max, 9, load(0, 0), load(0, 0), [salt, silk]), take(silk), caravan(min, 8, load(2, 5), load(0, 0), [salt])))).
:- expect(fails(move(caravan(max, 9, load(5, 9), load(0, 0), [silk, salt]), take(silk), _))).
:- expect(holds(load(max, 2, 5, load(1, 2), load(0, 0), load(3, 7), load(0, 0)))).
:- expect(fails(terminal(caravan(max, 1, load(0, 0), load(0, 0), [salt])))).
