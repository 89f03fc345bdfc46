:- module(maplist_more,
          [ maplist/5, maplist/6, maplist/7
          ]).

:- meta_predicate maplist(4, ?, ?, ?, ?), maplist(5, ?, ?, ?, ?, ?), maplist(6, ?, ?, ?, ?, ?, ?).

% A goal is called for the elements of four lists or more.

%! maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds)  As maplist/3, for four lists.
maplist(Goal, As, Bs, Cs, Ds) :-
    guide(As, Bs, Cs, Ds, Guide),
    maplist_4(Guide, As, Bs, Cs, Ds, Goal).

maplist_4([], [], [], [], [], _).
maplist_4([_|_], [A|As], [B|Bs], [C|Cs], [D|Ds], Goal) :-
    call(Goal, A, B, C, D),
    guide(As, Bs, Cs, Ds, Guide),
    maplist_4(Guide, As, Bs, Cs, Ds, Goal).

%! maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es)  As maplist/3, for five lists.
maplist(Goal, As, Bs, Cs, Ds, Es) :-
    guide(As, Bs, Cs, Ds, Es, Guide),
    maplist_5(Guide, As, Bs, Cs, Ds, Es, Goal).

maplist_5([], [], [], [], [], [], _).
maplist_5([_|_], [A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], Goal) :-
    call(Goal, A, B, C, D, E),
    guide(As, Bs, Cs, Ds, Es, Guide),
    maplist_5(Guide, As, Bs, Cs, Ds, Es, Goal).

%! maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es, ?Fs)  As maplist/3, for six lists.
maplist(Goal, As, Bs, Cs, Ds, Es, Fs) :-
    guide(As, Bs, Cs, Ds, Es, Fs, Guide),
    maplist_6(Guide, As, Bs, Cs, Ds, Es, Fs, Goal).

maplist_6([], [], [], [], [], [], [], _).
maplist_6([_|_], [A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], Goal) :-
    call(Goal, A, B, C, D, E, F),
    guide(As, Bs, Cs, Ds, Es, Fs, Guide),
    maplist_6(Guide, As, Bs, Cs, Ds, Es, Fs, Goal).
