:- module(aggregate, [aggregate/3, aggregate/4, aggregate_all/4, foreach/2, free_variables/4]).

:- meta_predicate aggregate(?, ^, ?), aggregate(?, ?, ^, ?), aggregate_all(?, ?, 0, ?), foreach(0, 0).

% Aggregation for each value of the free variables, and of distinct
% solutions.  aggregate_all/3 stands in aggregate_all.pl.

%! aggregate(+Template, :Goal, -Result)  As aggregate_all/3, for each value of the free variables, as in bagof/3; fails without a solution.
aggregate(Template, Goal, Result) :-
    aggregate_spec(Template, Pattern, Finish),
    bagof(Pattern, Goal, Rows),
    aggregate_finish(Finish, Rows, Result).

%! aggregate(+Template, +Discriminator, :Goal, -Result)  As aggregate/3; solutions with the same Discriminator and values count once.
aggregate(Template, Discriminator, Goal, Result) :-
    aggregate_spec(Template, Pattern, Finish),
    bagof(Discriminator-Pattern, Goal, Pairs0),
    sort(Pairs0, Pairs),
    pairs_values(Pairs, Rows),
    aggregate_finish(Finish, Rows, Result).

%! aggregate_all(+Template, +Discriminator, :Goal, -Result)  As aggregate_all/3; solutions with the same Discriminator and values count once.
aggregate_all(Template, Discriminator, Goal0, Result) :-
    aggregate_spec(Template, Pattern, Finish),
    aggregate_goal(Goal0, Goal),
    findall(Discriminator-Pattern, Goal, Pairs0),
    sort(Pairs0, Pairs),
    pairs_values(Pairs, Rows),
    aggregate_finish(Finish, Rows, Result).

% What to gather of each solution, and how to make the result of it.
aggregate_spec(Template, Pattern, Finish) :-
    (   var(Template) -> throw(error(instantiation_error, _))
    ;   aggregate_raw(Template, Pattern0, Op) ->
        Pattern = Pattern0,
        Finish = one(Op)
    ;   compound(Template) ->
        Template =.. [Name|Specs],
        aggregate_raws(Specs, Pattern, Ops),
        Finish = all(Name, Ops)
    ;   aggregate_template_error(Template)
    ).

aggregate_raws([], [], []).
aggregate_raws([Spec|Specs], [Pattern|Patterns], [Op|Ops]) :-
    (   nonvar(Spec), aggregate_raw(Spec, Pattern0, Op0) ->
        Pattern = Pattern0,
        Op = Op0
    ;   aggregate_template_error(Spec)
    ),
    aggregate_raws(Specs, Patterns, Ops).

aggregate_raw(count, x, count).
aggregate_raw(sum(E), E, sum).
aggregate_raw(max(E), E, max).
aggregate_raw(min(E), E, min).
aggregate_raw(max(E, W), E-W, max_witness).
aggregate_raw(min(E, W), E-W, min_witness).
aggregate_raw(bag(X), X, bag).
aggregate_raw(set(X), X, set).

aggregate_finish(one(Op), Rows, Result) :-
    aggregate_raw_result(Op, Rows, Result0),
    Result = Result0.
aggregate_finish(all(Name, Ops), Rows, Result) :-
    aggregate_raw_results(Ops, Rows, Results),
    Result =.. [Name|Results].

aggregate_raw_results([], _, []).
aggregate_raw_results([Op|Ops], Rows, [Result|Results]) :-
    first_column(Rows, Column, Rows1),
    aggregate_raw_result(Op, Column, Result),
    aggregate_raw_results(Ops, Rows1, Results).

aggregate_raw_result(Op, Column0, Result) :-
    aggregate_evaluated(Op, Column0, Column),
    aggregate_column_result(Op, Column, Result).

aggregate_evaluated(count, Column, Column).
aggregate_evaluated(bag, Column, Column).
aggregate_evaluated(set, Column, Column).
aggregate_evaluated(sum, Column, Values) :-
    evaluated(Column, Values).
aggregate_evaluated(max, Column, Values) :-
    evaluated(Column, Values).
aggregate_evaluated(min, Column, Values) :-
    evaluated(Column, Values).
aggregate_evaluated(max_witness, Column, Values) :-
    evaluated_keys(Column, Values).
aggregate_evaluated(min_witness, Column, Values) :-
    evaluated_keys(Column, Values).

evaluated([], []).
evaluated([E|Es], [V|Vs]) :-
    V is E,
    evaluated(Es, Vs).

evaluated_keys([], []).
evaluated_keys([E-W|Pairs], [V-W|Values]) :-
    V is E,
    evaluated_keys(Pairs, Values).

%! foreach(:Generator, :Goal)  The conjunction of Goal for every solution of Generator: other variables of Goal are shared.
foreach(Generator, Goal) :-
    term_variables(Generator, GeneratorVariables),
    term_variables(Goal, GoalVariables),
    split_variables(GoalVariables, GeneratorVariables, Common, Shared),
    findall(Common, Generator, Instances),
    foreach_instance(Instances, Common, Shared, Goal).

split_variables([], _, [], []).
split_variables([V|Vs], Others, Common, Rest) :-
    (   member(Other, Others), Other == V ->
        Common = [V|Common1],
        split_variables(Vs, Others, Common1, Rest)
    ;   Rest = [V|Rest1],
        split_variables(Vs, Others, Common, Rest1)
    ).

foreach_instance([], _, _, _).
foreach_instance([Instance|Instances], Common, Shared, Goal) :-
    copy_term(Common/Shared/Goal, Instance/Shared/Goal1),
    call(Goal1),
    foreach_instance(Instances, Common, Shared, Goal).

%! free_variables(+Generator, +Template, +Vars0, -Vars)  Vars is the list Vars0 with the variables of Generator before it that are neither in Template nor in Vars0 nor quantified, as bagof/3 finds them.
free_variables(Generator, Template, Vars0, Vars) :-
    (   var(Generator) ->
        (   is_free_of(Template, Generator), lacks(Vars0, Generator) -> Vars = [Generator|Vars0]
        ;   Vars = Vars0
        )
    ;   binds(Generator, Template, Generator1, Template1) ->
        free_variables(Generator1, Template1, Vars0, Vars)
    ;   functor(Generator, _, Arity),
        free_variables_of(Arity, Generator, Template, Vars0, Vars)
    ).

% The last argument is first, so that the variables stand in their order.
free_variables_of(N, Generator, Template, Vars0, Vars) :-
    (   N =:= 0 -> Vars = Vars0
    ;   arg(N, Generator, Argument),
        free_variables(Argument, Template, Vars0, Vars1),
        N1 is N - 1,
        free_variables_of(N1, Generator, Template, Vars1, Vars)
    ).

binds(\+ _, Bound, true, Bound).
binds(not(_), Bound, true, Bound).
binds(Var^Goal, Bound, Goal, Bound+Var).
binds(setof(Var, Goal, Set), Bound, Goal-Set, Bound+Var).
binds(bagof(Var, Goal, Bag), Bound, Goal-Bag, Bound+Var).

is_free_of(Term, Var) :-
    term_variables(Term, Vars),
    lacks(Vars, Var).

lacks([], _).
lacks([Other|Vars], Var) :-
    Other \== Var,
    lacks(Vars, Var).
