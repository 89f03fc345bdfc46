:- module(aggregate_all, [aggregate_all/3]).

:- meta_predicate aggregate_all(?, 0, ?).

% Aggregation over all solutions of a goal.

%! aggregate_all(+Template, :Goal, -Result)  Result is the count, sum(E), max(E), min(E), max(E,W), min(E,W), bag(X) or set(X) over all solutions of Goal.
aggregate_all(Template, Goal, Result) :-
    (   var(Template) -> throw(error(instantiation_error, _))
    ;   aggregate_by(Template, Goal, Result)
    ).

aggregate_by(count, Goal, Result) :-
    !,
    findall(x, Goal, Solutions),
    length(Solutions, Count),
    Result = Count.
aggregate_by(sum(E), Goal, Result) :-
    !,
    findall(V, (call(Goal), V is E), Values),
    sum_list_from(Values, 0, Sum),
    Result = Sum.
aggregate_by(max(E), Goal, Result) :-
    !,
    findall(V, (call(Goal), V is E), Values),
    aggregate_extreme(Values, max, Result).
aggregate_by(min(E), Goal, Result) :-
    !,
    findall(V, (call(Goal), V is E), Values),
    aggregate_extreme(Values, min, Result).
aggregate_by(max(E, W), Goal, Result) :-
    !,
    findall(E-W, Goal, Pairs),
    aggregate_witness(Pairs, max, Result).
aggregate_by(min(E, W), Goal, Result) :-
    !,
    findall(E-W, Goal, Pairs),
    aggregate_witness(Pairs, min, Result).
aggregate_by(bag(X), Goal, Result) :-
    !,
    aggregate_bag(Goal, X, Bag),
    Result = Bag.
aggregate_by(set(X), Goal, Result) :-
    !,
    aggregate_bag(Goal, X, Bag),
    sort(Bag, Set),
    Result = Set.
aggregate_by(Template, Goal, Result) :-
    (   compound(Template) ->
        Template =.. [Name|Specs],
        aggregate_columns(Specs, Values, Post, Ops),
        aggregate_goal(Goal, Goal1),
        findall(Values, (call(Goal1), call(Post)), Rows),
        aggregate_rows(Ops, Rows, Results),
        Result =.. [Name|Results]
    ;   aggregate_template_error(Template)
    ).

aggregate_bag(Goal, X, Bag) :-
    var(Goal),
    !,
    findall(X, Goal, Bag).
aggregate_bag(_^Goal, X, Bag) :-
    !,
    aggregate_bag(Goal, X, Bag).
aggregate_bag(Goal, X, Bag) :-
    findall(X, Goal, Bag).

aggregate_template_error(Spec) :-
    (   var(Spec) -> throw(error(instantiation_error, _))
    ;   callable(Spec) -> throw(error(domain_error(aggregate_template, Spec), _))
    ;   throw(error(type_error(aggregate_template, Spec), _))
    ).

% Goal without the leading Var^ that bagof/3 would need.
aggregate_goal(Goal0, Goal) :-
    (   nonvar(Goal0), Goal0 = (_^Goal1) -> aggregate_goal(Goal1, Goal)
    ;   Goal = Goal0
    ).

% Fails without a solution.
aggregate_extreme([V|Vs], Op, Result) :-
    aggregate_extreme_from(Vs, Op, V, Extreme),
    Result = Extreme.

aggregate_extreme_from([], _, V, V).
aggregate_extreme_from([V1|Vs], Op, V0, V) :-
    (   Op == max -> V2 is max(V0, V1)
    ;   V2 is min(V0, V1)
    ),
    aggregate_extreme_from(Vs, Op, V2, V).

aggregate_witness([E-W|Pairs], Op, Result) :-
    (   number(E) -> true
    ;   throw(error(type_error(number, E), _))
    ),
    aggregate_witness_from(Pairs, Op, E, W, Result0),
    Result = Result0.

aggregate_witness_from([], Op, E, W, Result) :-
    Result =.. [Op, E, W].
aggregate_witness_from([E1-W1|Pairs], Op, E0, W0, Result) :-
    (   Op == max, E1 > E0 -> aggregate_witness_from(Pairs, Op, E1, W1, Result)
    ;   Op == min, E1 < E0 -> aggregate_witness_from(Pairs, Op, E1, W1, Result)
    ;   aggregate_witness_from(Pairs, Op, E0, W0, Result)
    ).

% A template such as r(count, max(X)): one value per argument and
% solution, the goal that computes it, and the operation on its column.
aggregate_columns([], [], true, []).
aggregate_columns([Spec|Specs], [Value|Values], (Goal, Post), [Op|Ops]) :-
    (   nonvar(Spec), aggregate_column(Spec, Value0, Goal0, Op0) ->
        Value = Value0,
        Goal = Goal0,
        Op = Op0
    ;   aggregate_template_error(Spec)
    ),
    aggregate_columns(Specs, Values, Post, Ops).

aggregate_column(count, x, true, count).
aggregate_column(sum(E), V, (V is E), sum).
aggregate_column(max(E), V, (V is E), max).
aggregate_column(min(E), V, (V is E), min).
aggregate_column(max(E, W), V-W, (V is E), max_witness).
aggregate_column(min(E, W), V-W, (V is E), min_witness).
aggregate_column(bag(X), X, true, bag).
aggregate_column(set(X), X, true, set).

aggregate_rows([], _, []).
aggregate_rows([Op|Ops], Rows, [Result|Results]) :-
    first_column(Rows, Column, Rows1),
    aggregate_column_result(Op, Column, Result),
    aggregate_rows(Ops, Rows1, Results).

first_column([], [], []).
first_column([[X|Xs]|Rows], [X|Column], [Xs|Rows1]) :-
    first_column(Rows, Column, Rows1).

aggregate_column_result(count, Column, Count) :-
    length(Column, Count).
aggregate_column_result(sum, Column, Sum) :-
    sum_list_from(Column, 0, Sum).
aggregate_column_result(max, Column, Max) :-
    aggregate_extreme(Column, max, Max).
aggregate_column_result(min, Column, Min) :-
    aggregate_extreme(Column, min, Min).
aggregate_column_result(max_witness, Pairs, Result) :-
    aggregate_witness(Pairs, max, Result).
aggregate_column_result(min_witness, Pairs, Result) :-
    aggregate_witness(Pairs, min, Result).
aggregate_column_result(bag, Bag, Bag).
aggregate_column_result(set, Bag, Set) :-
    sort(Bag, Set).
