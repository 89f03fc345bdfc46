:- module(yall,
          [ (>>)/2, (>>)/3, (>>)/4, (>>)/5, (>>)/6, (>>)/7, (>>)/8, (>>)/9, (/)/2, (/)/3, (/)/4, (/)/5,
            (/)/6, (/)/7, (/)/8, (/)/9
          ]).

% Lambda expressions.

%! >>(+Params, :Lambda)  Calls a copy of Lambda; Params is a list or {Shared}/List, where the variables of Shared are not copied.
'>>'(Params, Lambda) :-
    lambda_call(Params, Lambda, []).

%! >>(+Params, :Lambda, ?A1)  Calls a copy of Lambda with the first of Params bound to A1.
'>>'(Params, Lambda, A1) :-
    lambda_call(Params, Lambda, [A1]).

%! >>(+Params, :Lambda, ?A1, ?A2)  As >>/3, with two arguments; those beyond Params are added to Lambda.
'>>'(Params, Lambda, A1, A2) :-
    lambda_call(Params, Lambda, [A1, A2]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3)  As >>/4, with three arguments.
'>>'(Params, Lambda, A1, A2, A3) :-
    lambda_call(Params, Lambda, [A1, A2, A3]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3, ?A4)  As >>/4, with four arguments.
'>>'(Params, Lambda, A1, A2, A3, A4) :-
    lambda_call(Params, Lambda, [A1, A2, A3, A4]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5)  As >>/4, with five arguments.
'>>'(Params, Lambda, A1, A2, A3, A4, A5) :-
    lambda_call(Params, Lambda, [A1, A2, A3, A4, A5]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6)  As >>/4, with six arguments.
'>>'(Params, Lambda, A1, A2, A3, A4, A5, A6) :-
    lambda_call(Params, Lambda, [A1, A2, A3, A4, A5, A6]).

%! >>(+Params, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7)  As >>/4, with seven arguments.
'>>'(Params, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    lambda_call(Params, Lambda, [A1, A2, A3, A4, A5, A6, A7]).

lambda_call(Params, Lambda, Args) :-
    lambda_copy(Params, Lambda, ParamsCopy, LambdaCopy),
    lambda_bind(ParamsCopy, Args, Extra, Params>>Lambda),
    lambda_call_extra(Extra, LambdaCopy).

lambda_copy(Params, Lambda, ParamsCopy, LambdaCopy) :-
    (   var(Params) -> throw(error(instantiation_error, _))
    ;   Params = Shared/List ->
        lambda_shared(Shared),
        must_be(list, List),
        '$copy_lambda'(Shared/List>>Lambda, Shared/ParamsCopy>>LambdaCopy)
    ;   must_be(list, Params),
        '$copy_lambda'(Params>>Lambda, ParamsCopy>>LambdaCopy)
    ).

lambda_shared(Shared) :-
    (   var(Shared) -> throw(error(instantiation_error, _))
    ;   Shared = {_} -> true
    ;   Shared == {} -> true
    ;   throw(error(type_error(lambda_free, Shared), _))
    ).

% Extra is the arguments beyond the parameters.
lambda_bind([], Extra, Extra, _).
lambda_bind([Param|Params], Args, Extra, Lambda) :-
    (   Args = [Arg|Args1] ->
        Param = Arg,
        lambda_bind(Params, Args1, Extra, Lambda)
    ;   throw(error(domain_error(lambda_parameters, Lambda), _))
    ).

lambda_call_extra([], Lambda) :-
    call(Lambda).
lambda_call_extra([Arg|Args], Lambda) :-
    Goal =.. [call, Lambda, Arg|Args],
    call(Goal).

%! /(+Shared, :Lambda)  Calls a copy of Lambda in which only the variables of Shared, a term {X, ...}, are not renamed.
'/'(Shared, Lambda) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy).

%! /(+Shared, :Lambda, ?A1)  As //2, with one argument added to Lambda.
'/'(Shared, Lambda, A1) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1).

%! /(+Shared, :Lambda, ?A1, ?A2)  As //2, with two arguments added.
'/'(Shared, Lambda, A1, A2) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3)  As //2, with three arguments added.
'/'(Shared, Lambda, A1, A2, A3) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3, ?A4)  As //2, with four arguments added.
'/'(Shared, Lambda, A1, A2, A3, A4) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3, A4).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5)  As //2, with five arguments added.
'/'(Shared, Lambda, A1, A2, A3, A4, A5) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3, A4, A5).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6)  As //2, with six arguments added.
'/'(Shared, Lambda, A1, A2, A3, A4, A5, A6) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3, A4, A5, A6).

%! /(+Shared, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7)  As //2, with seven arguments added.
'/'(Shared, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    lambda_copy(Shared/[], Lambda, _, Copy),
    call(Copy, A1, A2, A3, A4, A5, A6, A7).
