% A program whose own predicates have the names of the library's. The goals of modules.tsv are asked of it.

last(own, own).
member(own, own).
append(own, own, own).
subset(own, own).
mine(a).

% Goals with a module in a text: as they stand, as closures, and built while the program runs.
in_text(plain, X) :- lists:last([a, b], X).
in_text(closure, X) :- call(lists:last, [a, b], X).
in_text(partial, X) :- call(lists:member(X), [a, b]).
in_text(maplist, X) :- maplist(lists:last, [[a, b], [c]], X).
in_text(variable, X) :- Goal = lists:last([a, b], X), call(Goal).
in_text(inside, X) :- Goal = member(X, [a, b]), call(lists:Goal).
in_text(module, X) :- Module = lists, call(Module:last([a, b], X)).
in_text(called_module, X) :- Module = lists, Module:last([a, b], X).
in_text(control, X) :- Goal = lists:( member(X, [a, b]), \+ X == a ), call(Goal).
in_text(findall, X) :- findall(Y, lists:member(Y, [a, b]), X).
in_text(bagof, X) :- bagof(Y, Z^(lists:member(Y-Z, [b-1, a-2])), X).
in_text(setof, X) :- setof(Y, lists:(Z^member(Y-Z, [b-1, a-2])), X).
in_text(forall, yes) :- forall(lists:member(Y, [1, 2]), Y > 0), \+ lists:member(a, [b]).
in_text(lambda, X) :- foldl([Y, A, B]>>(lists:append(A, [Y], B)), [1, 2], [], X).
in_text(subset, yes) :- lists:subset([a], [a, b]).
in_text(handed_on, X) :- apply:maplist(member, [X], [[a, b]]).
in_text(back, X) :- Goal = lists:user:member(X, own), call(Goal).
in_text(cut, X) :- ( lists:( member(X, [a, b]), ! ) ; X = c ).
