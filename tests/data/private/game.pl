% Predicates with the names of private predicates of part.pl, of library(board) and of library(dcg/basics).

:- use_module(part).
:- use_module(library(board)).
:- use_module(library(dcg/basics)).

priv(game1).
ok(game1).
double(X, Y) :- Y is 100 * X.
two(t, 9).
three(t, 9, 9).
item(game) --> [_].
mark(_, game).
last(_, game).
lent(game).
add_xdigit(_, _, game).

given(meta, X) :- run(priv(X), _).
given(lambda, X) :- X = [_, _], each([Y]>>priv(Y), X).
given(closure, X) :- X = [_, _], each(priv, X).
given(module, X) :- each(part:priv, [X]).
given(variable, X) :- G = priv(X), run(G, _).
given(control, X) :- run(( priv(X), true ), _).
given(negation, X) :- run(\+ \+ ( priv(Y), Y == game1 ), X).
given(twice, X) :- run(run(priv(X), _), _).
given(own, X) :- maplist(priv, [X]).
given(other, X) :- catch(part:priv(X), _, true).
given(plain, X) :- plain(priv(X)).
given(user, X) :- user:run(priv(X), _).
given(library, X) :- run(maplist(priv, [X]), _).
given(grammar, X-Y) :- parse(( item(X), item(Y) ), [a, b]).
given(list, L) :- findall(x, ( parse([a], [a, b]) ; parse([], [b]) ; parse({priv(_)}, [b]) ), L).
given(other_only, X) :- maplist(part:only(k), [X]).
given(other_lambda, X) :- part:maplist([Y]>>priv(Y), [X]).
given(other_closure, X) :- part:maplist(only(k), [X]).
given(built, X) :- G = double(2), call(G, X).
given(other_goal, X) :- part:catch(( priv(X), true ), _, true).
given(nested, X) :- run(each(priv, [X]), _).
given(found, L) :- run(( V = priv(X), findall(X, V, L) ), _).
