:- module(phrase, [phrase/2, phrase/3]).

:- meta_predicate phrase(2, ?), phrase(2, ?, ?).

% Grammar bodies that are called as goals.

%! phrase(:Body, ?List)  The grammar body Body describes the whole of List.
phrase(Body, List) :-
    phrase(Body, List, []).

%! phrase(:Body, ?List, ?Rest)  The grammar body Body describes what stands in List before Rest.
phrase(Body, List, Rest) :-
    phrase_list(List),
    phrase_list(Rest),
    (   nonvar(Body), phrase_control(Body) ->
        dcg_body(Body, S0, S, Goal),
        S0 = List,
        S = Rest,
        call(Goal)
    ;   nonvar(Body), \+ callable(Body), string(Body) ->
        string_codes(Body, Codes),
        append(Codes, Rest, List)
    ;   call(Body, List, Rest)
    ).

phrase_list(List) :-
    (   var(List) -> true
    ;   List = [_|_] -> true
    ;   List == [] -> true
    ;   throw(error(type_error(list, List), _))
    ).

phrase_control([]).
phrase_control([_|_]).
phrase_control((_, _)).
phrase_control((_ ; _)).
phrase_control('|'(_, _)).
phrase_control((_ -> _)).
phrase_control(\+ _).
phrase_control(!).
phrase_control({_}).
phrase_control(_:_).

% dcg_body(+Body, ?S0, ?S, -Goal): Goal parses Body between S0 and S.
dcg_body(Body, S0, S, Goal) :-
    (   var(Body) -> Goal = phrase(Body, S0, S)
    ;   dcg_control(Body, S0, S, Goal0) -> Goal = Goal0
    ;   callable(Body) -> dcg_nonterminal(Body, S0, S, Goal)
    ;   string(Body) ->
        string_codes(Body, Codes),
        dcg_terminals(Codes, S0, S, Goal)
    ;   throw(error(type_error(callable, Body), _))
    ).

dcg_control([], S0, S, (S0 = S)).
dcg_control([X|Xs], S0, S, Goal) :-
    dcg_terminals([X|Xs], S0, S, Goal).
dcg_control(!, S0, S, (!, S = S0)).
dcg_control({}, S0, S, (S0 = S)).
dcg_control(Module:Body, S0, S, Module:Goal) :-
    dcg_body(Body, S0, S, Goal).
dcg_control({Goal}, S0, S, (Goal, S = S0)).
dcg_control((A, B), S0, S, (GoalA, GoalB)) :-
    dcg_body(A, S0, S1, GoalA),
    dcg_body(B, S1, S, GoalB).
dcg_control((A ; B), S0, S, (GoalA ; GoalB)) :-
    dcg_body(A, S0, S, GoalA),
    dcg_body(B, S0, S, GoalB).
dcg_control('|'(A, B), S0, S, (GoalA ; GoalB)) :-
    dcg_body(A, S0, S, GoalA),
    dcg_body(B, S0, S, GoalB).
dcg_control((A -> B), S0, S, (GoalA -> GoalB)) :-
    dcg_body(A, S0, S1, GoalA),
    dcg_body(B, S1, S, GoalB).
dcg_control((A *-> B), S0, S, (GoalA *-> GoalB)) :-
    dcg_body(A, S0, S1, GoalA),
    dcg_body(B, S1, S, GoalB).
dcg_control(\+ A, S0, S, (\+ GoalA, S = S0)) :-
    dcg_body(A, S0, _, GoalA).

dcg_terminals(List, S0, S, Goal) :-
    (   is_list(List) ->
        append(List, S, Terminals),
        Goal = (S0 = Terminals)
    ;   list_shape(List, 0, _, Tail),
        var(Tail) ->
        Goal = append(List, S, S0)
    ;   throw(error(type_error(list_or_partial_list, List), _))
    ).

dcg_nonterminal(Body, S0, S, Goal) :-
    (   Body = Module:Body1 ->
        Goal = Module:Goal1,
        dcg_body(Body1, S0, S, Goal1)
    ;   Body = (_ --> _) ->
        throw(error(permission_error(define, dcg_nonterminal, Body), _))
    ;   Body =.. [Name|Args],
        append(Args, [S0, S], Args1),
        Goal =.. [Name|Args1]
    ).
