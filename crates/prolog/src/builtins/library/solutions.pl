:- module(solutions, [bagof/3, setof/3, (^)/2]).

:- meta_predicate bagof(?, ^, ?), setof(?, ^, ?).

% All solutions for each value of the free variables.

%! bagof(+Template, :Goal, -Bag)  Bag holds the Template of every solution, for each value of the free variables.
bagof(Template, Goal0, Bag) :-
    '$free_variables'(Template^Goal0, Goal, Witness),
    (   Witness == v
    ->  findall(Template, Goal, Bag0),
        Bag0 = [_|_],
        Bag = Bag0
    ;   findall(Witness-Template, Goal, Answers),
        Answers = [_|_],
        keysort(Answers, Sorted),
        bag_groups(Sorted, Witness, Bag)
    ).

% The answers whose witness is a variant of the first make one bag; sorting
% brings ground ones together, others may stand anywhere.
bag_groups([Key-Item|Answers], Witness, Bag) :-
    bag_split(Answers, Key, Items, Rest),
    (   Rest == []
    ->  Witness = Key,
        Bag = [Item|Items]
    ;   (   Witness = Key,
            Bag = [Item|Items]
        ;   bag_groups(Rest, Witness, Bag)
        )
    ).

bag_split([], _, [], []).
bag_split([Key1-Item|Answers], Key, Items, Rest) :-
    (   Key1 =@= Key
    ->  Key1 = Key,
        Items = [Item|Items1],
        bag_split(Answers, Key, Items1, Rest)
    ;   '$ground'(Key)
    ->  Items = [],
        Rest = [Key1-Item|Answers]
    ;   Rest = [Key1-Item|Rest1],
        bag_split(Answers, Key, Items, Rest1)
    ).

%! setof(+Template, :Goal, -Set)  As bagof/3, each set sorted and without repetitions.
setof(Template, Goal, Set) :-
    bagof(Template, Goal, Bag),
    sort(Bag, Set).

%! ^(?Variables, :Goal)  Outside bagof/3 and setof/3, just Goal.
'^'(_, Goal) :-
    call(Goal).
