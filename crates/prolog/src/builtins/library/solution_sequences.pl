:- module(solution_sequences,
          [ limit/2, offset/2, call_nth/2, order_by/2, distinct/1, distinct/2, group_by/4,
            reduced/1, reduced/3, findnsols/4, findnsols/5
          ]).

:- meta_predicate limit(?, 0), offset(?, 0), call_nth(0, ?), order_by(?, 0), distinct(0), distinct(?, 0),
       group_by(?, ?, 0, ?), reduced(0), reduced(?, 0, ?), findnsols(?, ?, 0, ?), findnsols(?, ?, 0, ?, ?).

% Some solutions of a goal, or all of them in another order.
%
% '$memory'(Id) gives a new place that backtracking does not undo.
% '$tick'(Id, N) counts there, '$first'(Id, T) holds for a term that was not
% asked there before, '$keep'(Id, T, N) adds a term and '$kept'(Id, L, Tail)
% takes all of them out.

%! limit(+Count, :Goal)  At most Count solutions of Goal; all if Count is inf.
limit(Count, Goal) :-
    (   nonvar(Count), is_infinite_count(Count) -> call(Goal)
    ;   must_be(integer, Count),
        Count > 0,
        limit_to(Count, Goal)
    ).

is_infinite_count(inf).
is_infinite_count(infinite).

limit_to(Count, Goal) :-
    '$memory'(Id),
    call(Goal),
    '$tick'(Id, N),
    (   N =:= Count -> !
    ;   true
    ).

%! offset(+Count, :Goal)  The solutions of Goal but for the first Count.
offset(Count, Goal) :-
    must_be(integer, Count),
    (   Count < 0 -> throw(error(domain_error(not_less_than_zero, Count), _))
    ;   '$memory'(Id),
        call(Goal),
        '$tick'(Id, N),
        N > Count
    ).

%! call_nth(:Goal, ?N)  The N-th solution of Goal, counting from 1; all with their numbers if N is unbound.
call_nth(Goal, N) :-
    (   var(N) ->
        '$memory'(Id),
        call(Goal),
        '$tick'(Id, N)
    ;   must_be(integer, N),
        (   N < 1 -> throw(error(domain_error(not_less_than_one, N), _))
        ;   call_only(Goal, N)
        )
    ).

call_only(Goal, N) :-
    '$memory'(Id),
    call(Goal),
    '$tick'(Id, N),
    !.

%! distinct(:Goal)  The solutions of Goal that are no variant (=@=) of an earlier one.
distinct(Goal) :-
    distinct(Goal, Goal).

%! distinct(?Witness, :Goal)  The solutions of Goal whose Witness is no variant (=@=) of an earlier one.
distinct(Witness, Goal) :-
    '$memory'(Id),
    call(Goal),
    '$first'(Id, Witness).

%! reduced(:Goal)  As distinct/1.
reduced(Goal) :-
    distinct(Goal, Goal).

%! reduced(?Witness, :Goal, +Options)  As distinct/2; Options are not used.
reduced(Witness, Goal, _) :-
    distinct(Witness, Goal).

%! order_by(+Specs, :Goal)  The solutions of Goal sorted by Specs, a list of asc(Term) and desc(Term); the first counts most.
order_by(Specs, Goal) :-
    must_be(list, Specs),
    (   Specs == [] -> throw(error(domain_error(non_empty_list, []), _))
    ;   true
    ),
    order_specs(Specs, Terms, Orders),
    term_variables(Goal, Variables),
    append(Terms, [Variables], Args),
    Row =.. [row|Args],
    findall(Row, Goal, Rows0),
    order_rows(Orders, 1, Rows0, Rows),
    member(Row, Rows).

order_specs([], [], []).
order_specs([Spec|Specs], [Term|Terms], [Order|Orders]) :-
    (   var(Spec) -> throw(error(instantiation_error, _))
    ;   Spec = asc(Term0) ->
        Term = Term0,
        Order = (@=<)
    ;   Spec = desc(Term0) ->
        Term = Term0,
        Order = (@>=)
    ;   throw(error(domain_error(order_specifier, Spec), _))
    ),
    order_specs(Specs, Terms, Orders).

% The sorts are stable, so the one that counts most is the last.
order_rows([], _, Rows, Rows).
order_rows([Order|Orders], N, Rows0, Rows) :-
    N1 is N + 1,
    order_rows(Orders, N1, Rows0, Rows1),
    sort(N, Order, Rows1, Rows).

%! group_by(?By, +Template, :Goal, -Bag)  For each value of By in order, the Bag of the Template of its solutions.
group_by(By, Template, Goal, Bag) :-
    findall(By-Template, Goal, Pairs),
    keysort(Pairs, Sorted),
    group_pairs_by_key(Sorted, Groups),
    member(By-Bag, Groups).

%! findnsols(+N, +Template, :Goal, -List)  As findall/3, but N solutions at a time; the next ones on backtracking.
findnsols(N, Template, Goal, List) :-
    findnsols(N, Template, Goal, List, []).

%! findnsols(+N, +Template, :Goal, -List, ?Tail)  As findnsols/4, followed by Tail.
findnsols(N, Template, Goal, List, Tail) :-
    must_be(integer, N),
    (   N < 0 -> throw(error(domain_error(not_less_than_zero, N), _))
    ;   N =:= 0 -> List = Tail
    ;   '$memory'(Id),
        '$memory'(Chunks),
        % As with findall/3, no solution binds a variable of the goal.
        copy_term(Template-Goal, Template1-Goal1),
        findnsols_chunk(N, Template1, Goal1, Id, Chunks, List0, Tail),
        List = List0
    ).

findnsols_chunk(N, Template, Goal, Id, Chunks, List, Tail) :-
    call(Goal),
    '$keep'(Id, Template, Count),
    Count =:= N,
    '$tick'(Chunks, _),
    '$kept'(Id, List, Tail).
findnsols_chunk(_, _, _, Id, Chunks, List, Tail) :-
    '$kept'(Id, List, Tail),
    (   List == Tail -> '$tick'(Chunks, 1)
    ;   true
    ).
