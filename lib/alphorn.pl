% What another Prolog system needs in order to load a game that says
%     :- use_module(library(alphorn)).
% Alphorn itself has all of this built in and never reads this file.
% Load a game with:  swipl -p library=lib games/tictactoe.pl

:- module(alphorn, [
    op(1120, xfx, ::),
    op(1110, fx, if),
    op(1105, xfx, then),
    op(950, xfy, or),
    op(940, xfy, and),
    op(900, fy, not),
    op(550, xfx, ..),
    param/4,
    expect/1,
    put_arg/4,
    put_args/3,
    args_with/3,
    closure/3
]).

:- dynamic(user:param/2).
:- meta_predicate(closure(+, 2, -)).

%! param(+Name, +Default, +Domain, +Doc)
%  Directive: from now on param(Name, Value) tells the value, Default unless
%  it was set before.  Domain is Low..High (integers) or a list of values.
param(Name, _, _, _) :-
    user:param(Name, _),
    !.
param(Name, Default, _, _) :-
    assertz(user:param(Name, Default)).

%! expect(+Goal)
%  Directive: what `alphorn test` checks.  Here it is ignored.
expect(_).

%! put_arg(+I, +Term, +Value, -New)
%  New is Term with argument I replaced by Value; fails as arg/3 does where
%  there is no such argument.
put_arg(I, Term, Value, New) :-
    I >= 1,
    Term =.. [Name|Args],
    replace(I, Args, Value, NewArgs),
    New =.. [Name|NewArgs].

replace(1, [_|Args], Value, New) :-
    !,
    New = [Value|Args].
replace(I, [Arg|Args], Value, [Arg|New]) :-
    I1 is I - 1,
    replace(I1, Args, Value, New).

%! put_args(+Term, +Changes, -New)
%  New is Term after all of Changes, a list of Index-Value, in order.
put_args(Term, [], Term).
put_args(Term, [I-Value|Changes], New) :-
    put_arg(I, Term, Value, Term1),
    put_args(Term1, Changes, New).

%! args_with(+Term, +Value, -I)
%  Enumerates, in ascending order, the numbers of the arguments that are
%  identical to Value.
args_with(Term, Value, I) :-
    functor(Term, _, Arity),
    between(1, Arity, I),
    arg(I, Term, Arg),
    Arg == Value.

%! closure(+Start, :Step, -Set)
%  Set is the sorted list of all that can be reached from Start, itself
%  included, by any number of call(Step, X, Y).
closure(Start, Step, Set) :-
    reach([Start], Step, [Start], Reached),
    sort(Reached, Set).

reach([], _, Reached, Reached).
reach([X|Todo], Step, Reached0, Reached) :-
    findall(Y, call(Step, X, Y), Ys),
    sort(Ys, Distinct),
    subtract(Distinct, Reached0, New),
    append(New, Reached0, Reached1),
    append(New, Todo, Todo1),
    reach(Todo1, Step, Reached1, Reached).
