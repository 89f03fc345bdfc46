% A fact joins its two arguments, and an expectation asks the table.
% code: A0304
% at: 71:1
% help: hop/2 is another predicate
% mend 71: |hop(3, 6).
% Runners: play a number card from the common pool and run that far with one of your tokens.
% A token that lands on one of the other side sends it home. The points of the cells decide.
:- use_module(library(alphorn)).

:- expect(perft(1) = 4).
:- expect(perft(2) = 14).
:- expect(value = win(min)).
:- expect(value(run(max, [9, 8], [9, 8], [1])) = win(max)).
:- expect(best(run(min, [5, 5], [2, 0], [3, 1]), 2) = run(max, [0, 0], [5, 0], [1])).
:- expect(holds(hop(3, 6))).
:- expect(fails(advance(8, 3, _))).
:- expect(holds((points([2, 6], S), S =:= 10))).

% run(Player, Tokens of MAX, Tokens of MIN, Cards)
initial(run(max, [0, 0], [0, 0], [1, 2, 2, 3, 3, 4])).

max_to_move(run(max, _, _, _)).

moves(run(max, Mine, Yours, Cards), Successors) :-
    findall(run(min, M, Y, Rest), step(Mine, Yours, Cards, M, Y, Rest), List),
    sort(List, Successors).
moves(run(min, Yours, Mine, Cards), Successors) :-
    findall(run(max, Y, M, Rest), step(Mine, Yours, Cards, M, Y, Rest), List),
    sort(List, Successors).

% step(Mine, Yours, Cards, NewMine, NewYours, Rest)
step(Mine, Yours, Cards, NewMine, NewYours, Rest) :-
    select(Card, Cards, Rest),
    nth0(I, Mine, From),
    advance(From, Card, To),
    set_nth0(I, Mine, To, Moved),
    order(Moved, NewMine),
    send_home(To, Yours, Hit),
    order(Hit, NewYours).
step(Mine, Yours, Cards, Mine, Yours, Rest) :-
    select(Card, Cards, Rest),
    \+ ( member(From, Mine), advance(From, Card, _) ).

advance(From, Card, To) :-
    Cell is From + Card,
    last_cell(Last),
    Cell =< Last,
    (   hop(Cell, Far)
    ->  To = Far
    ;   To = Cell
    ).

% The furthest token stands first.
order(Tokens, Ordered) :- sort(0, @>=, Tokens, Ordered).

set_nth0(I, List, New, Changed) :-
    nth0(I, List, _, Others),
    nth0(I, Changed, New, Others).

send_home(Cell, Tokens, Result) :- maplist(sent(Cell), Tokens, Result).

sent(Cell, Token, New) :-
    (   Token =:= Cell, \+ safe(Cell)
    ->  New = 0
    ;   New = Token
    ).

last_cell(9).

% hop(From, To): a stone that carries a token on or back
hop(3-6).
hop(7, 4).

safe(9).

bonus(4, 1).
bonus(6, 2).
bonus(9, 3).

terminal(run(_, _, _, [])).

outcome(run(_, A, B, []), Result) :-
    points(A, PA),
    points(B, PB),
    compare(Order, PA, PB),
    result(Order, Result).

result(<, win(min)).
result(=, draw).
result(>, win(max)).

points(Tokens, Points) :- foldl(add_points, Tokens, 0, Points).

add_points(Cell, Sum0, Sum) :-
    (   bonus(Cell, Extra)
    ->  Sum is Sum0 + Cell + Extra
    ;   Sum is Sum0 + Cell
    ).

static_eval(run(_, A, B, Cards), Value) :-
    points(A, PA),
    points(B, PB),
    length(Cards, Left),
    Value is PA - PB + Left / 100.

% A move that sends a token home is worth trying first.
prefer(run(max, _, Before, _), run(min, _, After, _), Weight) :- gain(Before, After, Weight).
prefer(run(min, Before, _, _), run(max, After, _, _), Weight) :- gain(Before, After, Weight).

gain(Before, After, Gain) :-
    sum_list(Before, B),
    sum_list(After, A),
    Gain is B - A.

show(run(Player, A, B, Cards), [Top, Track, Bottom]) :-
    last_cell(Last),
    findall(Char, ( between(0, Last, I), cell_char(I, A, B, Char) ), Chars),
    atomic_list_concat(Chars, ' ', Track),
    format(atom(Top), "~w to move", [Player]),
    atomic_list_concat(Cards, ',', Bottom).

cell_char(I, A, B, Char) :-
    (   memberchk(I, A)
    ->  Char = x
    ;   memberchk(I, B)
    ->  Char = o
    ;   Char = '.'
    ).

acyclic.
