% A module that part.pl loads, and game.pl does not.

:- module(other, [lent/1]).

lent(other).
