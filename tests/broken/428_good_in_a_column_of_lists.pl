% A fact has one good where all other facts have a list of goods.
% code: A0309
% at: 27:16
% help: write [salt]
% mend 27: |made_in(oasis, [salt]).
% Caravan: two traders travel between towns, load goods and sell them; more coins win.
:- use_module(library(alphorn)).
:- use_module(library(assoc)).

:- expect(perft(1) = 3).
:- expect(perft(3) = 25).
:- expect(value = win(max)).
:- expect(holds((start(P), move(P, load(salt), _)))).
:- expect(holds(price(silk, coast, 5))).
:- expect(fails(road(harbour, hills))).
:- expect(value(game(max-2, [max-trader(at(coast), [silk], 0), min-trader(at(hills), [], 3)], t)) = win(max)).
:- expect(best(game(max-2, [max-trader(at(coast), [silk], 0), min-trader(at(hills), [], 3)], t), 2) = sell(silk, 5)).
:- expect(holds(move(game(min-1, [max-trader(at(coast), [], 0), min-trader(at(hills), [], 3)], t), from(hills)-to(oasis), _))).

% game(Player-Clock, [max-Trader, min-Trader], Stock): Stock maps a town to its goods.
initial(P) :- start(P).

start(game(max-7, [max-trader(at(oasis), [], 0), min-trader(at(oasis), [], 0)], Stock)) :-
    findall(Town-Goods, made_in(Town, Goods), Pairs),
    list_to_assoc(Pairs, Stock).

made_in(oasis, salt).
made_in(hills, [silk, wool]).
made_in(harbour, [salt, wool]).

track(oasis, hills).
track(oasis, coast).
track(hills, coast).
track(coast, harbour).

road(A, B) :- track(A, B).
road(A, B) :- track(B, A).

% price(Good, Town, Coins)
price(salt, hills, 3).
price(salt, coast, 2).
price(silk, coast, 5).
price(silk, harbour, 6).
price(wool, oasis, 2).
price(wool, coast, 3).

max_to_move(game(max-_, _, _)).

% Travel along a road.
move(game(Player-Clock, Traders, Stock), from(A)-to(B), game(Turn, Changed, Stock)) :-
    next_turn(Player-Clock, Turn),
    own(Player, Traders, trader(at(A), Bag, Coins)),
    road(A, B),
    replace(Player, Traders, trader(at(B), Bag, Coins), Changed).
% Load one piece of goods that the town has.
move(game(Player-Clock, Traders, Stock), load(Good), game(Turn, Changed, Rest)) :-
    next_turn(Player-Clock, Turn),
    own(Player, Traders, trader(at(Town), Bag, Coins)),
    length(Bag, Count),
    Count < 2,
    get_assoc(Town, Stock, Goods),
    selectchk_each(Good, Goods, Left),
    put_assoc(Town, Stock, Left, Rest),
    msort([Good|Bag], Full),
    replace(Player, Traders, trader(at(Town), Full, Coins), Changed).
% Sell one piece.
move(game(Player-Clock, Traders, Stock), sell(Good, Price), game(Turn, Changed, Stock)) :-
    next_turn(Player-Clock, Turn),
    own(Player, Traders, trader(at(Town), Bag, Coins)),
    selectchk_each(Good, Bag, Less),
    price(Good, Town, Price),
    Sum is Coins + Price,
    replace(Player, Traders, trader(at(Town), Less, Sum), Changed).

next_turn(Player-Clock, Other-Less) :-
    Clock > 0,
    other(Player, Other),
    Less is Clock - 1.

own(Player, Traders, Trader) :- memberchk(Player-Trader, Traders).

replace(max, [max-_, Second], New, [max-New, Second]).
replace(min, [First, min-_], New, [First, min-New]).

% Each different element once.
selectchk_each(X, List, Rest) :-
    sort(List, Set),
    member(X, Set),
    selectchk(X, List, Rest).

terminal(game(_-0, _, _)).

outcome(game(_, Traders, _), Result) :-
    coins(max, Traders, A),
    coins(min, Traders, B),
    result(A, B, Result).

result(A, B, win(max)) :- A > B.
result(A, B, win(min)) :- A < B.
result(A, A, draw).

coins(Player, Traders, Coins) :- own(Player, Traders, trader(_, _, Coins)).

static_eval(game(_, Traders, _), Value) :-
    wealth(max, Traders, A),
    wealth(min, Traders, B),
    Value is A - B.

wealth(Player, Traders, Wealth) :-
    own(Player, Traders, trader(_, Bag, Coins)),
    maplist(worth, Bag, Worths),
    sum_list(Worths, Sum),
    Wealth is 10 * Coins + Sum.

worth(Good, Most) :- aggregate_all(max(P), price(Good, _, P), Most).

prefer(_, sell(_, Price), Weight) :- Weight is 10 + Price.
prefer(_, load(silk), 8).
prefer(_, load(salt), 5).
prefer(game(_, _, _), from(_)-to(coast), 2).

shown_move(_, from(A)-to(B), Text) :- atomic_list_concat([A, '-', B], Text).
shown_move(_, load(Good), Text) :- atom_concat('load ', Good, Text).
shown_move(_, sell(Good, Price), Text) :- format(atom(Text), "sell ~w for ~w", [Good, Price]).

show(game(Player-Clock, Traders, Stock), Lines) :-
    format(atom(Head), "~w to move, ~w moves left", [Player, Clock]),
    maplist(trader_line, Traders, TraderLines),
    assoc_to_list(Stock, Pairs),
    maplist(stock_line, Pairs, StockLines),
    append([Head|TraderLines], StockLines, Lines).

trader_line(Player-trader(at(Town), Bag, Coins), Line) :-
    format(atom(Line), "~w in ~w with ~w and ~w coins", [Player, Town, Bag, Coins]).

stock_line(Town-Goods, Line) :-
    format(atom(Line), "~w: ~w", [Town, Goods]).

acyclic.

other(max, min).
other(min, max).
