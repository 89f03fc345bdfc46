% What a compiler of rules gets wrong easily: each of these once was, or nearly.

%? shared(h(g(7)), R)
%? shared(f(g(2), z), R)
%? heights(yes)
%? heights2(1, R)
%? unfolded(b, R)
%? unfolded(a, R)
%? denied(b, R)
%? boards(R)
%? first(60, X)
%? tails(60, X)
%? deep(3)
%? deep(0)
%? places([e, x, e], L)
%? both(A, B)
%? both(A, f(A))
%? kept(L)
%? unset(0, R)
%? unset(1, R)
%? scoped(R)
%? lists([1, a, 2, b], Ns, As)
%? drawn(L)
%? drawn(3, L)
%? late_tails(L)
%? put_first([b, d, f], L)
%? put_back([b, d, f], L)

% What one leaf takes apart is not taken apart in another.
shared(f(g(1), _), a).
shared(f(g(2), _), b).
shared(h(g(X)), X).

% Both branches of a condition's condition leave choice points.
t(1). t(2).
pp(X) :- t(X).
qq(X) :- t(X), X > 0.
heights(R) :- t(Y), chosen(1, R), Y > 1.
chosen(X, R) :- ( ( X > 1 -> pp(X) ; qq(X) ) -> R = yes ; R = no ).
heights2(X, R) :- \+ \+ ( X > 1 -> pp(X) ; qq(X) ), R = X.

% A call written out, of which one clause makes choice points and one does not.
small(a, R) :- Z = f(_), Z = f(3), R = 1.
small(b, R) :- R = 2.
unfolded(X, R) :- small(X, R), R > 5.
unfolded(_, 9).
none(a, R) :- \+ ( Z = f(_), Z = f(3) ), R = 1.
none(b, R) :- R = 2.
denied(X, R) :- none(X, R), R > 5.
denied(_, 9).

% Wide boards changed many times in one clause.
boards(R) :- numlist(1, 64, L), T =.. [b|L], changed(200, T, S), arg(64, S, R).
changed(0, T, T).
changed(N, T, R) :- N > 0, ten(T, S), M is N - 1, changed(M, S, R).
ten(T, R) :-
    put(T, 1, A), put(A, 2, B), put(B, 3, C), put(C, 4, D), put(D, 5, E), put(E, 6, R).
put(T, I, R) :- T =.. [F|L], nth1(I, L, _, Rest), nth1(I, New, i, Rest), R =.. [F|New].

% What was written to an output and taken back must not be found by a collection.
first(K, X) :- given(K, X), nonvar(X).
given(K, X) :- numlist(1, K, L), X = [K|L], bad(X).
given(_, X) :- build(900, T), whole(900, T, X).
tails(K, X) :- open(K, X), nonvar(X).
open(K, [a|Y]) :- numlist(1, K, L), Y = [K|L], bad(Y).
open(_, [b|Y]) :- build(900, T), whole(900, T, Y).
bad([H|_]) :- H < 0.
build(0, []).
build(N, [g(N, N, N, N)|T]) :- N > 0, M is N - 1, build(M, T).
whole(N, T, ok) :- check(N, T), !.
whole(_, _, bad).
check(_, []).
check(N, [g(A, B, C, D)|T]) :- A == N, B == N, C == N, D == N, M is N - 1, check(M, T).

% Conditions in conditions in conditions.
deep(X) :-
    \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( \+ ( pp(X)
    ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ).

% Answers of one findall share their beginnings, and the tails are written over.
places(Board, Boards) :- findall(B, place(Board, x, B), Boards).
place([e|T], P, [P|T]).
place([C|T], P, [C|T1]) :- place(T, P, T1).
kept(L) :- findall(A-B, append(A, B, [1, 2, 3]), L).

% One variable for two outputs.
both(X, X).
both(f(Y), Y).

% A variable that one branch binds and the other does not.
unset(X, r(Y, Z)) :- ( X > 0 -> Y = 1 ; Z = 2 ), ( X > 0, Z = 3 -> true ; true ).

% The cut of a condition spares what waits outside.
scoped(R) :- ( \+ ( append(_, _, [5]), !, fail ) -> R = none ; R = some ).
scoped(last).

% Two lists whose tails are both given away.
lists([], [], []).
lists([X|Xs], [X|Ns], As) :- integer(X), !, lists(Xs, Ns, As).
lists([X|Xs], Ns, [X|As]) :- lists(Xs, Ns, As).

% Tails that were written late, before a cut, are emptied by backtracking, but not in the solutions of findall/3.
drawn(L) :- findall(Hand, hand(Hand), L).
drawn(N, L) :- findall(L1, ( between(1, N, _), drawn(L1) ), L).
hand([Sum|Others]) :-
    drawn_from(card(A), [card(1), card(2), card(3), card(4)], Rest),
    member(B, [1, 2, 3, 4, 5]),
    Sum is 10*A + B,
    discarded(card(B), Rest, Others).
drawn_from(X, [X|T], T).
drawn_from(X, [Y|T], [Y|R]) :- drawn_from(X, T, R).
discarded(X, L, R) :- drawn_from(X, L, R), !.
discarded(_, L, L).

% The result of sort/2 may share cells with its argument, also if their tails were filled late.
late_tails(Lists) :-
    L = [b|T],
    findall(S, ( member(T, [[c], [d, e], [a]]), sort([a|L], S) ), Lists).
put_first(L, Lists) :-
    findall(S-M, ( member(X, [a, b, c, g]), sort([X|L], S), msort([X|L], M) ), Lists).
put_back(L, Lists) :-
    findall(S, ( select(X, L, Rest), sort([X|Rest], S) ), Lists).
