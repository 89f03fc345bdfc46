:- module(pairs, [pairs_keys/2, pairs_values/2, pairs_keys_values/3]).

% Lists of pairs.

%! pairs_keys_values(?Pairs, ?Keys, ?Values)  Pairs is the list of K-V for the Keys and Values in step.
pairs_keys_values(Pairs, Keys, Values) :-
    guide(Pairs, Keys, Values, Guide),
    pairs_keys_values_list(Guide, Pairs, Keys, Values).

pairs_keys_values_list([], [], [], []).
pairs_keys_values_list([_|_], [K-V|Pairs], [K|Keys], [V|Values]) :-
    guide(Pairs, Keys, Values, Guide),
    pairs_keys_values_list(Guide, Pairs, Keys, Values).

%! pairs_keys(?Pairs, ?Keys)  Keys is the K of each K-V in Pairs.
pairs_keys(Pairs, Keys) :-
    guide(Pairs, Keys, Guide),
    pairs_keys_list(Guide, Pairs, Keys).

pairs_keys_list([], [], []).
pairs_keys_list([_|_], [K-_|Pairs], [K|Keys]) :-
    guide(Pairs, Keys, Guide),
    pairs_keys_list(Guide, Pairs, Keys).

%! pairs_values(?Pairs, ?Values)  Values is the V of each K-V in Pairs.
pairs_values(Pairs, Values) :-
    guide(Pairs, Values, Guide),
    pairs_values_list(Guide, Pairs, Values).

pairs_values_list([], [], []).
pairs_values_list([_|_], [_-V|Pairs], [V|Values]) :-
    guide(Pairs, Values, Guide),
    pairs_values_list(Guide, Pairs, Values).
