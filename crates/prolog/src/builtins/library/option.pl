:- module(option, [option/2, option/3, select_option/3, select_option/4, merge_options/3]).

% Lists of options: Name(Value) or Name=Value.

%! option(?Option, +Options)  The first option of that name in Options has the value of Option.
option(Option, Options) :-
    Option =.. [Name, Value],
    option_value(Options, Name, Value0),
    !,
    Value = Value0.

%! option(?Option, +Options, +Default)  As option/2; the value is Default if there is no such option.
option(Option, Options, Default) :-
    Option =.. [Name, Value],
    (   option_value(Options, Name, Value0) -> Value = Value0
    ;   Value = Default
    ).

option_value([Option|Options], Name, Value) :-
    (   is_option(Option, Name, Value0) -> Value = Value0
    ;   option_value(Options, Name, Value)
    ).

is_option(Option, Name, Value) :-
    nonvar(Option),
    (   Option = (Name0 = Value0) ->
        Name0 == Name,
        Value = Value0
    ;   Option =.. [Name, Value]
    ).

%! select_option(?Option, +Options, -Rest)  As option/2; Rest is the other options.
select_option(Option, Options, Rest) :-
    Option =.. [Name, Value],
    option_taken(Options, Name, Value0, Rest0),
    !,
    Value = Value0,
    Rest = Rest0.

%! select_option(?Option, +Options, -Rest, +Default)  As select_option/3; the value is Default if there is no such option.
select_option(Option, Options, Rest, Default) :-
    Option =.. [Name, Value],
    (   option_taken(Options, Name, Value0, Rest0) ->
        Value = Value0,
        Rest = Rest0
    ;   Value = Default,
        Rest = Options
    ).

option_taken([Option|Options], Name, Value, Rest) :-
    (   is_option(Option, Name, Value0) ->
        Value = Value0,
        Rest = Options
    ;   Rest = [Option|Rest1],
        option_taken(Options, Name, Value, Rest1)
    ).

%! merge_options(+New, +Old, -Merged)  Merged is the options of New and those of Old that New does not have, sorted, as Name(Value).
merge_options(New, Old, Merged) :-
    named_options(New, New1),
    named_options(Old, Old1),
    append(New1, Old1, All),
    first_options(All, [], Options),
    sort(Options, Merged).

named_options([], []).
named_options([Option|Options], [Name-Option1|Named]) :-
    (   Option = (Name0 = Value) ->
        Name = Name0,
        Option1 =.. [Name, Value]
    ;   functor(Option, Name, _),
        Option1 = Option
    ),
    named_options(Options, Named).

first_options([], _, []).
first_options([Name-Option|Named], Seen, Options) :-
    (   memberchk(Name, Seen) -> Options = Options1
    ;   Options = [Option|Options1]
    ),
    first_options(Named, [Name|Seen], Options1).
