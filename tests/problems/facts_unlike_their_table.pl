% gives: A0309, A0309, A0309
% A good among lists of goods, a good and a town in the wrong order, a word among numbers.
initial(trader(max, harbour, [])).
max_to_move(trader(max, _, _)).
move(trader(Who, Town, Bag), go(Next), trader(Other, Next, Bag)) :-
    other(Who, Other),
    made_in(Next, _),
    Next \= Town.
move(trader(Who, Town, Bag), buy(Good), trader(Other, Town, [Good|Bag])) :-
    other(Who, Other),
    made_in(Town, Goods),
    member(Good, Goods),
    \+ member(Good, Bag).
repetition(draw).
static_eval(trader(_, Town, Bag), Value) :-
    findall(Price, (member(Good, Bag), price(Good, Town, Price)), Prices),
    sum_list(Prices, Sum),
    tax(Town, Tax),
    Value is Sum - Tax.
other(max, min).
other(min, max).
made_in(harbour, [wool, silk]).
made_in(hills, salt).
made_in(coast, [salt, silk]).
price(wool, harbour, 2).
price(wool, hills, 4).
price(salt, coast, 3).
price(salt, harbour, 5).
price(silk, hills, 6).
price(silk, coast, 1).
tax(harbour, 1).
tax(hills, three).
tax(coast, 2).
sold(wool, hills).
sold(salt, harbour).
sold(coast, silk).
sold(wool, coast).
sold(silk, hills).
prefer(trader(_, Town, _), buy(Good), 1) :- sold(Good, Town).
