% A module whose private predicates have names that game.pl defines too.

:- module(part, [passed/2, set/2, parsed/2, run/2, plain/1, each/2, parse/2]).

:- use_module(other).
:- use_module(library(lists)).

:- meta_predicate run(0, -), each(1, ?), parse(//, ?).

passed(catch, X) :- catch(priv(X), _, true).
passed(call, X) :- findall(Y, call(priv, Y), X).
passed(maplist, L) :- maplist(double, [1, 2, 3], L).
passed(lambda, L) :- maplist([X, Y]>>double(X, Y), [1, 2], L).
passed(foldl, S) :- foldl([X, A, B]>>( double(X, Y), B is A + Y ), [1, 2, 3], 0, S).
passed(bagof, L) :- bagof(X-Y, two(X, Y), L).
passed(count, N) :- aggregate_all(count, priv(_), N).
passed(variable, X) :- G = priv(X), G.
passed(member, L) :- findall(X, ( member(G, [priv(X), two(X, _)]), G ), L).
passed(built, X) :- G =.. [priv, X], catch(call(G), _, true).
passed(control, X) :- once(call(( fail ; priv(X) ))).
passed(open, X) :- G = priv(X), \+ \+ call(G), ( G, true ; fail ).
passed(forall, yes) :- forall(priv(X), catch(ok(X), _, fail)).
passed(handed_on, X) :- catch(run(priv(X), _), _, true).
passed(nested, L) :- maplist([X]>>catch(ok(X), _, fail), L).
passed(imported, X) :- catch(lent(X), _, true).
passed(library, L) :- maplist(last, [[a, b]], L).
passed(library, X) :- G = last([a, b], X), G.
passed(grammar, X-Y) :- parse(( item(X), item(Y) ), [a, b]).
passed(module, X) :- part:maplist(priv, [X]).

set(Y, L) :- setof(X, Z^three(X, Y, Z), L).

parsed(X, L) :- phrase(item(X), [a, b], L).
parsed(X-Y, L) :- phrase(( item(X), item(Y) ), [a, b], L).
parsed(X, L) :- phrase(( item(_), { priv(X) } ), [z], L).

run(G, done) :- catch(G, _, true).
each(G, L) :- maplist(G, L).
plain(G) :- catch(G, _, true).
parse(G, L) :- phrase(G, L, _).

priv(part1).
priv(part2).
ok(part1).
ok(part2).
double(X, Y) :- Y is 2 * X.
two(p, 1).
two(q, 2).
three(p, 1, z).
three(q, 1, y).
three(r, 2, w).
only(k, part).
item(X) --> [X].
