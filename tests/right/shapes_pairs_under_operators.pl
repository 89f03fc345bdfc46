% Right: positions are pairs under operators of the game.
% Vault: a dictionary of Key-Value pairs under operators. Two thieves take coins from chests; who
% opens the chest that holds the alarm loses.
%   State@Who     State: chests~[Name-Coins, ...]*purse~[ann-N, bob-M],   Who: ann, bob, caught(Who)
:- use_module(library(alphorn)).
:- op(300, xfx, ~).
:- op(700, xfx, @@).
:- expect(perft(1) = 5).
:- expect(value((chests~[]*purse~[ann-3, bob-1])@@ann) = 2).
:- expect(value((chests~[a-1]*purse~[ann-0, bob-0])@@ann) = 1).
:- expect(best((chests~[a-1, b-2]*purse~[ann-0, bob-0])@@ann, 1) = b/2).
:- expect(holds((initial(P), \+ terminal(P)))).

initial((chests~[a-2, b-1, c-2]*purse~[ann-0, bob-0])@@ann).

max_to_move(_@@ann).
min_to_move(_@@bob).

other(ann, bob).
other(bob, ann).

terminal(chests~[]*_@@_).
terminal(_@@caught(_)).

outcome(_@@caught(ann), win(min)).
outcome(_@@caught(bob), win(max)).
outcome(chests~_*purse~Purse@@_, score(N)) :- memberchk(ann-A, Purse), memberchk(bob-B, Purse), N is A - B.

move(chests~Chests*purse~Purse@@Who, Name/K, Next) :-
    member(Name-Coins, Chests),
    between(1, Coins, K),
    other(Who, Then),
    taken(Chests, Name-Coins, K, Rest),
    paid(Purse, Who, K, Filled),
    after(Rest, Filled, Then, Next).

taken(Chests, Name-K, K, Rest) :- !, delete(Chests, Name-K, Rest).
taken(Chests, Name-Coins, K, [Name-Left|Rest]) :- Left is Coins - K, delete(Chests, Name-Coins, Rest).

paid(Purse, Who, K, Filled) :-
    select(Who-Old, Purse, Others),
    New is Old + K,
    msort([Who-New|Others], Filled).

after(Chests, Purse, Who, chests~Chests*purse~Purse@@caught(Who)) :- memberchk(_-9, Chests), !.
after(Chests, Purse, Who, chests~Chests*purse~Purse@@Who).

acyclic.

static_eval(_*purse~[ann-A, bob-B]@@_, V) :- V is A - B.

prefer(_, _/K, K).
prune(_@@bob, _/0).
extend(_@@_, a/_, 1).
reduce(_, c/_, 1).
show(chests~C*purse~P@@W, [L]) :- format(atom(L), '~w ~w ~w', [C, P, W]).
