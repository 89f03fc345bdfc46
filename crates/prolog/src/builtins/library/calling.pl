:- module(calling,
          [ apply/2, repeat/0
          ]).

% Calls.

%! apply(:Goal, +Args)  Calls Goal with the elements of the list Args added to its arguments.
apply(Goal, Extra) :-
    must_be(callable, Goal),
    Goal =.. [Name|Args0],
    append(Args0, Extra, Args),
    must_be(list, Args),
    Goal1 =.. [Name|Args],
    call(Goal1).

%! repeat  Succeeds again and again.
repeat.
repeat :-
    repeat.
