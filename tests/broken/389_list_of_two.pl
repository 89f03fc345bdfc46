% A comma stands for the bar of a list, so the head takes lists of two elements.
% code: A0309
% at: 95:6
% help: [b|_]
% run: --playouts 20
% mend 95: |home([b|_], black).
% Sluice: two armies walk towards each other along a channel of seven cells.
% White (MAX) walks right, black (MIN) walks left. A player enters a token
% from the hand at the own end, steps a token one cell, or hops over an enemy
% token and takes it. The first to bring a token to the far end wins; who
% cannot move loses.
:- use_module(library(alphorn)).

:- expect(perft(1) = 1).
:- expect(perft(2) = 1).
:- expect(perft(3) = 1).
:- expect(perft(pos([w,e,e,e,e,e,b], white, hand(0, 0)), 1) = 1).
:- expect(value(pos([e,e,e,e,e,w,e], white, hand(0, 1))) = win(max)).
:- expect(value(pos([e,b,e,e,e,e,e], black, hand(1, 0))) = win(min)).
:- expect(value(pos([w,e,e,e,e,e,e], black, hand(0, 0))) = win(max)).
:- expect(best(pos([w,e,e,e,w,b,e], white, hand(1, 1)), 3) = hop(5)).
:- expect(holds(move(pos([e,e,w,e,e,e,e], white, hand(1, 1)), step(3), _))).
:- expect(holds(move(pos([e,e,w,e,e,e,e], white, hand(1, 1)), enter, _))).
:- expect(holds(move(pos([e,e,w,b,e,e,e], white, hand(1, 1)), hop(3), pos([e,e,e,e,w,e,e], black, hand(1, 1))))).
:- expect(fails(move(pos([e,e,w,b,e,e,e], white, hand(0, 1)), step(3), _))).
:- expect(fails(move(pos([e,e,w,e,e,e,e], black, hand(0, 0)), _, _))).
:- expect(holds(terminal(pos([e,e,e,e,e,e,w], black, hand(0, 0))))).

initial(pos([e,e,e,e,e,e,e], white, hand(3, 3))).

max_to_move(pos(_, white, _)).

% Enter a token from the hand.
move(pos(Row, Side, Hand), enter, pos(Next, Other, Left)) :-
    foe(Side, Other),
    spend(Side, Hand, Left),
    enter(Side, Row, Next).
% Step one cell.
move(pos(Row, Side, Hand), step(I), pos(Next, Other, Hand)) :-
    foe(Side, Other),
    token(Side, T),
    pattern(Side, [T,e], [e,T], Old, New),
    rewrite(Row, Old, New, Next, Before),
    place(Side, Before, I).
% Hop over an enemy token and take it.
move(pos(Row, Side, Hand), hop(I), pos(Next, Other, Hand)) :-
    foe(Side, Other),
    token(Side, T),
    token(Other, F),
    pattern(Side, [T,F,e], [e,e,T], Old, New),
    rewrite(Row, Old, New, Next, Before),
    hop_place(Side, Before, I).

foe(white, black).
foe(black, white).

token(white, w).
token(black, b).

spend(white, hand(W, B), hand(W1, B)) :-
    W > 0,
    W1 is W - 1.
spend(black, hand(W, B), hand(W, B1)) :-
    B > 0,
    B1 is B - 1.

enter(white, [e|Row], [w|Row]).
enter(black, Row, Next) :-
    append(Front, [e], Row),
    append(Front, [b], Next).

% A pattern is written for white; black reads it backwards.
pattern(white, Old, New, Old, New).
pattern(black, Old0, New0, Old, New) :-
    reverse(Old0, Old),
    reverse(New0, New).

% Replace one occurrence of Old by New; Before is the number of cells before it.
rewrite(Row, Old, New, Next, Before) :-
    append(Front, Rest, Row),
    append(Old, Back, Rest),
    append(New, Back, Rest1),
    append(Front, Rest1, Next),
    length(Front, Before).

place(white, Before, I) :- I is Before + 1.
place(black, Before, I) :- I is Before + 2.

hop_place(white, Before, I) :- I is Before + 1.
hop_place(black, Before, I) :- I is Before + 3.

terminal(pos(Row, _, _)) :- home(Row, _).

home(Row, white) :- last(Row, w).
home([b,_], black).

outcome(pos(Row, _, _), win(Winner)) :-
    home(Row, Side),
    !,
    player(Side, Winner).
outcome(pos(_, Side, _), win(Winner)) :-
    foe(Side, Other),
    player(Other, Winner).

player(white, max).
player(black, min).

no_moves(loss).

static_eval(pos(Row, _, hand(W, B)), Value) :-
    sum(Row, 1, 0, Sum),
    Value is Sum + W - B.

sum([], _, Sum, Sum).
sum([C|Cs], I, Sum0, Sum) :-
    worth(C, I, V),
    Sum1 is Sum0 + V,
    J is I + 1,
    sum(Cs, J, Sum1, Sum).

worth(e, _, 0).
worth(w, I, I).
worth(b, I, V) :- V is I - 8.

show(pos(Row, Side, hand(W, B)), [Line, Hands]) :-
    atomic_list_concat(Row, ' ', Line),
    format(atom(Hands), "~w to move, ~w white and ~w black in hand", [Side, W, B]).

acyclic.
