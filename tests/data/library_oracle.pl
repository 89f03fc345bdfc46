% Writes tests/data/library.tsv anew: the goals of the file on standard input, one a line, with the
% answers of SWI-Prolog.
%
%     cut -f1 tests/data/library.tsv | swipl tests/data/library_oracle.pl > new.tsv
%
% The goals of tests/data/modules.tsv are asked of tests/data/modules.pl:
%
%     cut -f1 tests/data/modules.tsv | swipl -q -g "use_module(library(lists), []), consult('tests/data/modules.pl'), \
%         oracle:use_module(library(lists)), oracle:load_files('tests/data/library_oracle.pl')" -t halt

:- initialization((main, halt)).

main :-
    read_term_from_lines(user_input).

read_term_from_lines(In) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file -> true
    ;   row(Line),
        read_term_from_lines(In)
    ).

row(Line) :-
    term_string(Goal, Line, [variable_names(Names0)]),
    exclude(hidden, Names0, Names),
    Most = state([], 0),
    catch(( answers(Goal, Names, Most), Ball = none ), Error, Ball = Error),
    arg(1, Most, Reversed),
    reverse(Reversed, Answers0),
    ending(Ball, Ending),
    append(Answers0, Ending, Answers),
    (   Answers == [] -> Text = no
    ;   atomic_list_concat(Answers, ' ; ', Text)
    ),
    format("~w\t~w~n", [Line, Text]).

hidden(Name=_) :-
    sub_atom(Name, 0, 1, _, '_').

answers(Goal, Names, Most) :-
    (   call(user:Goal),
        arg(1, Most, Answers),
        arg(2, Most, N),
        (   N =:= 6 -> nb_setarg(1, Most, ['...'|Answers])
        ;   shown(Names, Text),
            nb_setarg(1, Most, [Text|Answers]),
            N1 is N + 1,
            nb_setarg(2, Most, N1),
            fail
        )
    ;   true
    ).

shown([], yes) :- !.
shown(Names, Text) :-
    copy_term(Names, Copy),
    findall(Part, ( number_all(Copy), member(Name=Value, Copy), part(Name, Value, Part) ), Parts),
    atomic_list_concat(Parts, ', ', Text).

number_all(Term) :-
    term_variables(Term, Variables),
    foldl([V, N0, N]>>( N is N0 + 1, V = '$V'(N) ), Variables, 0, _).

part(Name, Value, Part) :-
    plain(Value, Text),
    format(atom(Part), "~w = ~w", [Name, Text]).

% A variable is '$V'(N) for the time being.
plain(Term, Text) :-
    format(string(Text0), "~W", [Term, [quoted(true), ignore_ops(true), numbervars(false)]]),
    split_string(Text0, "", "", [Text1]),
    variables_back(Text1, Text).

variables_back(Text0, Text) :-
    (   sub_string(Text0, Before, _, _, "'$V'("),
        sub_string(Text0, 0, Before, _, Start),
        From is Before + 5,
        sub_string(Text0, From, _, 0, Rest),
        sub_string(Rest, Close, 1, After, ")"),
        !,
        sub_string(Rest, 0, Close, _, Number),
        Next is Close + 1,
        sub_string(Rest, Next, After, 0, More),
        variables_back(More, More1),
        atomic_list_concat([Start, '_', Number, More1], Text)
    ;   Text = Text0
    ).

ending(none, []).
ending(error(Formal0, _), [Text]) :-
    !,
    copy_term(Formal0, Formal),
    number_all(Formal),
    plain(Formal, Formal1),
    atomic_list_concat(['error ', Formal1], Text).
ending(Ball0, [Text]) :-
    copy_term(Ball0, Ball),
    number_all(Ball),
    plain(Ball, Ball1),
    atomic_list_concat(['throw ', Ball1], Text).
