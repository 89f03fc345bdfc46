% Whist for two with open cards: whoever takes more of the four tricks wins.  The other player follows suit if
% possible, and the higher card of the suit that was led takes the trick.
:- use_module(library(alphorn)).
:- use_module(library(draw)).

% table(Side, Hand of MAX, Hand of MIN, Led card or none, Tricks of MAX, Tricks of MIN)
initial(table(max, [ace-spades, 9-spades, queen-hearts, 3-diamonds],
                   [king-spades, 10-hearts, 2-hearts, jack-diamonds], none, 0, 0)).
initial(table(min, [10-clubs, 2-clubs, king-hearts, 7-hearts],
                   [jack-clubs, ace-hearts, 8-diamonds, 4-spades], none, 0, 0)).
max_to_move(table(max, _, _, _, _, _)).
acyclic.

move(table(Side, Max, Min, Led, A, B), play(Card), Next) :-
    hand(Side, Max, Min, Hand),
    select(Card, Hand, Left),
    follows(Led, Card, Hand),
    put(Side, Left, Max, Min, NewMax, NewMin),
    played(Led, Side, Card, A, B, To, NewLed, C, D),
    Next = table(To, NewMax, NewMin, NewLed, C, D).

hand(max, Max, _, Max).
hand(min, _, Min, Min).

put(max, Left, _, Min, Left, Min).
put(min, Left, Max, _, Max, Left).

follows(none, _, _).
follows(led(_-Suit), _-Suit, _) :- !.
follows(led(_-Suit), _, Hand) :- \+ member(_-Suit, Hand).

played(none, Side, Card, A, B, Other, led(Card), A, B) :- other(Side, Other).
played(led(First), Side, Second, A, B, Taker, none, C, D) :-
    other(Side, Leader),
    taker(First, Second, Leader, Side, Taker),
    scored(Taker, A, B, C, D).

taker(Rank-Suit, Higher-Suit, _, Side, Side) :- beats(Higher, Rank), !.
taker(_, _, Leader, _, Leader).

beats(One, Other) :-
    height(One, High),
    height(Other, Low),
    High > Low.

height(ace, 14) :- !.
height(king, 13) :- !.
height(queen, 12) :- !.
height(jack, 11) :- !.
height(N, N).

scored(max, A, B, C, B) :- C is A + 1.
scored(min, A, B, A, D) :- D is B + 1.

other(max, min).
other(min, max).

terminal(table(_, [], [], none, _, _)).
outcome(table(_, [], [], none, A, B), Result) :- compare(Order, A, B), result(Order, Result).
result(>, win(max)).
result(<, win(min)).
result(=, draw).

draw(table(_, Max, Min, Led, A, B), Picture) :-
    faces(Max, MaxCards),
    faces(Min, MinCards),
    draw_hand(1, 0, MaxCards, Low),
    draw_hand(1, 4, MinCards, High),
    centre(Led, Middle),
    won(A, MaxTricks),
    won(B, MinTricks),
    draw_pile(tricks_of_max, 6, 0, MaxTricks, LowPile),
    draw_pile(tricks_of_min, 6, 4, MinTricks, HighPile),
    append([Low, High, Middle, LowPile, HighPile, [label(0, 0, 'MAX'), label(0, 4, 'MIN')]], Picture).

faces([], []).
faces([Rank-Suit|Cards], [(Rank-Suit)-card(Rank, Suit)|Faces]) :- faces(Cards, Faces).

centre(none, []).
centre(led(Rank-Suit), Items) :- draw_hand(2.65, 2, [led-card(Rank, Suit)], Items).

won(0, []) :- !.
won(Tricks, [back|Backs]) :-
    Fewer is Tricks - 1,
    won(Fewer, Backs).
