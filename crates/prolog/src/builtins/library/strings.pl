:- module(strings,
          [ string_concat/3, string_length/2, string_lower/2, string_upper/2, string_code/3, get_string_code/3,
            sub_string/5, split_string/4, number_string/2, term_string/2, string_to_atom/2,
            text_concat/3, text_to_string/2, name/2, char_type/2, code_type/2,
            atom_to_term/3, concat_atom/2, concat_atom/3, normalize_space/2, sub_atom_icasechk/3,
            string_lines/2, indent_lines/3, indent_lines/4, dedent_lines/3, interpolate_string/4
          ]).

:- meta_predicate indent_lines(1, ?, ?, ?).

% Texts in double quotes, and what an atom, a string, a list of characters or
% codes have in common.

%! string_concat(?A, ?B, ?AB)  AB is the text of A and B as a string; splits where A or B is unbound.
string_concat(A, B, AB) :-
    (   var(AB), atomic(A), atomic(B) ->
        '$string_concat'(A, B, AB)
    ;   nonvar(A), nonvar(B) ->
        atom_concat(A, B, Atom),
        same_text(AB, Atom)
    ;   string_part(A, A1),
        string_part(B, B1),
        (   var(AB) -> throw(error(instantiation_error, _))
        ;   atom_concat(A1, B1, AB)
        ),
        part_string(A, A1),
        % A and B may be one variable.
        same_text(B, B1)
    ).

string_part(Text, Part) :-
    (   var(Text) -> true
    ;   Part = Text
    ).

part_string(Text, Part) :-
    (   var(Text) -> atom_string(Part, Text)
    ;   true
    ).

% Text has the characters of Atom; a variable becomes a string.
same_text(Text, Atom) :-
    (   var(Text) -> atom_string(Atom, Text)
    ;   atomic(Text) ->
        atom_string(Atom, String),
        atom_string(Text, String)
    ;   fail
    ).

%! string_length(+Text, ?Length)  Text has so many characters.
string_length(Text, Length) :-
    (   string(Text) -> Atom = Text
    ;   string_atom(Text, Atom)
    ),
    atom_length(Atom, Length).

% Atom has the text of a string, atom, number, or list of characters or codes.
string_atom(Text, Atom) :-
    (   var(Text) -> throw(error(instantiation_error, _))
    ;   atom(Text), Text \== [] -> Atom = Text
    ;   string_codes(Text, Codes),
        atom_codes(Atom, Codes)
    ).

%! string_lower(+Text, ?String)  String is Text in small letters.
string_lower(Text, String) :-
    downcase_atom(Text, Atom),
    atom_string(Atom, String).

%! string_upper(+Text, ?String)  String is Text in capital letters.
string_upper(Text, String) :-
    upcase_atom(Text, Atom),
    atom_string(Atom, String).

%! string_code(?Index, +Text, ?Code)  Code is that of the character at Index, counting from 1.
string_code(Index, Text, Code) :-
    string(Text),
    integer(Index),
    Index >= 0,
    !,
    '$string_code'(Index, Text, Code).
string_code(Index, Text, Code) :-
    (   var(Text) -> throw(error(instantiation_error, _))
    ;   var(Index) -> true
    ;   must_be(integer, Index),
        Index < 0 -> throw(error(domain_error(not_less_than_zero, Index), _))
    ;   true
    ),
    string_codes(Text, Codes),
    nth1(Index, Codes, Code).

%! get_string_code(+Index, +Text, -Code)  As string_code/3.
get_string_code(Index, Text, Code) :-
    must_be(integer, Index),
    string_code(Index, Text, Code).

%! sub_string(+Text, ?Before, ?Length, ?After, ?Sub)  Sub is a part of Text as a string, with so many characters before and after it.
sub_string(Text, Before, Length, After, Sub) :-
    string(Text),
    (   var(Sub)
    ;   string(Sub)
    ),
    !,
    '$sub_string'(Text, Before, Length, After, Sub).
sub_string(Text, Before, Length, After, Sub) :-
    string_atom(Text, Atom),
    (   var(Sub) ->
        sub_atom(Atom, Before, Length, After, SubAtom),
        atom_string(SubAtom, Sub)
    ;   string_atom(Sub, SubAtom),
        sub_atom(Atom, Before, Length, After, SubAtom)
    ).

%! split_string(+Text, +Separators, +Pad, -Strings)  Strings is the parts of Text between any characters of Separators, without those of Pad at both ends.
split_string(Text, Separators, Pad, Strings) :-
    plain_text(Text),
    plain_text(Separators),
    plain_text(Pad),
    !,
    '$split_string'(Text, Separators, Pad, Strings).
split_string(Text, Separators, Pad, Strings) :-
    text_codes(Text, Codes0),
    text_codes(Separators, SeparatorCodes),
    text_codes(Pad, PadCodes),
    strip_start(Codes0, PadCodes, Codes1),
    strip_end(Codes1, PadCodes, Codes),
    split_codes(Codes, SeparatorCodes, PadCodes, Strings0),
    Strings = Strings0.

% A string, or an atom that is no list.
plain_text(Text) :-
    (   string(Text) -> true
    ;   atom(Text),
        Text \== []
    ).

text_codes(Text, Codes) :-
    (   var(Text) -> throw(error(instantiation_error, _))
    ;   string_codes(Text, Codes)
    ).

strip_start([C|Cs], Pad, Rest) :-
    memberchk(C, Pad),
    !,
    strip_start(Cs, Pad, Rest).
strip_start(Cs, _, Cs).

strip_end(Cs, Pad, Rest) :-
    reverse(Cs, Reversed),
    strip_start(Reversed, Pad, Kept),
    reverse(Kept, Rest).

split_codes(Codes0, Separators, Pad, [String|Strings]) :-
    strip_start(Codes0, Pad, Codes),
    codes_before(Codes, Separators, Field0, Rest),
    strip_end(Field0, Pad, Field),
    string_codes(String, Field),
    (   Rest = [_|More] -> split_codes(More, Separators, Pad, Strings)
    ;   Strings = []
    ).

codes_before([], _, [], []).
codes_before([C|Cs], Separators, Field, Rest) :-
    (   memberchk(C, Separators) ->
        Field = [],
        Rest = [C|Cs]
    ;   Field = [C|Field1],
        codes_before(Cs, Separators, Field1, Rest)
    ).

%! number_string(?Number, ?String)  String is the text of Number; fails for other text.
number_string(Number, String) :-
    (   string(String) ->
        atom_number(String, Number0),
        Number = Number0
    ;   nonvar(String) ->
        string_atom(String, Atom),
        atom_number(Atom, Number0),
        Number = Number0
    ;   var(Number) -> throw(error(instantiation_error, _))
    ;   number(Number) ->
        number_codes(Number, Codes),
        string_codes(String, Codes)
    ;   throw(error(type_error(number, Number), _))
    ).

%! term_string(?Term, ?String)  String is Term as text that reads back; or Term is what String says.
term_string(Term, String) :-
    (   nonvar(String) ->
        string_atom(String, Atom),
        term_to_atom(Term0, Atom),
        Term = Term0
    ;   format(string(String), "~q", [Term])
    ).

%! string_to_atom(?String, ?Atom)  Both have the same characters.
string_to_atom(String, Atom) :-
    (   nonvar(String) ->
        string_atom(String, Atom0),
        same_text_atom(Atom, Atom0)
    ;   var(Atom) -> throw(error(instantiation_error, _))
    ;   string_atom(Atom, Atom0),
        atom_string(Atom0, String)
    ).

same_text_atom(Text, Atom) :-
    (   var(Text) -> Text = Atom
    ;   string_atom(Text, Atom)
    ).

%! text_concat(?A, ?B, ?AB)  AB is the text of A and B: a string if one of them is, else an atom; splits where A or B is unbound.
text_concat(A, B, AB) :-
    (   ( string(A) ; string(B) ; string(AB) ) -> string_concat(A, B, AB)
    ;   atom_concat(A, B, AB)
    ).

%! text_to_string(+Text, -String)  String has the characters of Text: an atom, a string, or a list of characters or codes.
text_to_string(Text, String) :-
    (   var(Text) -> throw(error(instantiation_error, _))
    ;   number(Text) -> throw(error(type_error(text, Text), _))
    ;   compound(Text), Text \= [_|_] -> throw(error(type_error(text, Text), _))
    ;   string_codes(Text, Codes),
        string_codes(String, Codes)
    ).

%! name(?Constant, ?Codes)  Codes is the text of Constant; where it is unbound, a number if Codes reads as one, else an atom.
name(Constant, Codes) :-
    (   atomic(Constant) ->
        format(codes(Codes0), "~w", [Constant]),
        Codes = Codes0
    ;   nonvar(Constant) -> throw(error(type_error(atomic, Constant), _))
    ;   atom_codes(Atom, Codes),
        atom_codes(Atom, All),
        (   begins_number(All), atom_number(Atom, Number) -> Constant = Number
        ;   Constant = Atom
        )
    ).

% A digit, behind its sign at most: no number of name/2 begins with a blank.
begins_number([C|Cs]) :-
    (   memberchk(C, [0'+, 0'-]) -> Cs = [D|_]
    ;   D = C
    ),
    between(0'0, 0'9, D).

%! char_type(?Char, ?Type)  Char is of the Type: alnum, alpha, csym, csymf, ascii, white, space, digit, digit(W), lower, upper, lower(U), upper(L), to_lower(U), to_upper(L), punct, graph, print, cntrl, end_of_line, newline, period, quote, paren(C), xdigit(W) and more.
char_type(Char, Type) :-
    '$char_type'(Char, Type).

%! code_type(?Code, ?Type)  As char_type/2, for codes.
code_type(Code, Type) :-
    '$code_type'(Code, Type).

%! atom_to_term(+Atom, -Term, -Bindings)  Term is what Atom says, Bindings holds Name=Variable for each of its variables.
atom_to_term(Atom, Term, Bindings) :-
    (   var(Atom) -> throw(error(instantiation_error, _))
    ;   '$atom_to_term'(Atom, Term0, Bindings0),
        Term = Term0,
        Bindings = Bindings0
    ).

%! concat_atom(+List, -Atom)  The older name of atomic_list_concat/2.
concat_atom(List, Atom) :-
    atomic_list_concat(List, Atom).

%! concat_atom(?List, +Separator, ?Atom)  The older name of atomic_list_concat/3.
concat_atom(List, Separator, Atom) :-
    atomic_list_concat(List, Separator, Atom).

%! normalize_space(+Output, +Text)  Writes the words of Text with one blank between them to Output: atom(A), string(S), codes(L) or chars(L).
normalize_space(Output, Text) :-
    (   var(Output) -> throw(error(instantiation_error, _))
    ;   split_string(Text, " \t\n\r\f\v", " \t\n\r\f\v", Words0),
        exclude(==(""), Words0, Words),
        atomic_list_concat(Words, ' ', Line),
        format(Output, "~w", [Line])
    ).

%! sub_atom_icasechk(+Text, ?Start, +Sub)  Sub begins at Start in Text, large and small letters being the same; the first place only.
sub_atom_icasechk(Text, Start, Sub) :-
    downcase_atom(Text, Text1),
    downcase_atom(Sub, Sub1),
    once(sub_atom(Text1, Start, _, _, Sub1)).

%! string_lines(?Text, ?Lines)  Lines is the list of the lines of Text, each a string.
string_lines(Text, Lines) :-
    (   nonvar(Text) ->
        split_string(Text, "\n", "", Lines0),
        (   append(Lines1, [""], Lines0) -> Lines = Lines1
        ;   Lines = Lines0
        )
    ;   must_be(list, Lines),
        append_to_lines(Lines, Ended),
        atomic_list_concat(Ended, Atom),
        atom_string(Atom, Text)
    ).

append_to_lines([], []).
append_to_lines([Line|Lines], [Line, '\n'|Ended]) :-
    append_to_lines(Lines, Ended).

%! indent_lines(+Prefix, +Text, -Indented)  Indented is Text with Prefix before each line that is not empty.
indent_lines(Prefix, Text, Indented) :-
    indent_lines(not_blank, Prefix, Text, Indented).

not_blank(Line) :-
    \+ split_string(Line, "", " \t", [""]).

%! indent_lines(:Filter, +Prefix, +Text, -Indented)  Indented is Text with Prefix before each line for which call(Filter, Line) succeeds.
indent_lines(Filter, Prefix, Text, Indented) :-
    split_string(Text, "\n", "", Lines),
    indented_lines(Lines, Filter, Prefix, Lines1),
    atomic_list_concat(Lines1, '\n', Atom),
    atom_string(Atom, Indented).

% Nothing stands behind the last line break, so Filter is not called for it.
indented_lines([], _, _, []).
indented_lines([Line|Lines], Filter, Prefix, [Line1|Lines1]) :-
    (   Lines == [], Line == "" -> Line1 = Line
    ;   call(Filter, Line) -> string_concat(Prefix, Line, Line1)
    ;   Line1 = Line
    ),
    indented_lines(Lines, Filter, Prefix, Lines1).

%! dedent_lines(+Text, -Dedented, +Options)  Dedented is Text without the blanks that all its lines begin with; Options are not used.
dedent_lines(Text, Dedented, _) :-
    split_string(Text, "\n", "", Lines),
    findall(Indent, line_indent(Lines, Indent), Indents),
    (   Indents = [_|_] -> min_list(Indents, Least)
    ;   Least = 0
    ),
    dedented_lines(Lines, Least, Lines1),
    atomic_list_concat(Lines1, '\n', Atom),
    atom_string(Atom, Dedented).

line_indent(Lines, Indent) :-
    member(Line, Lines),
    string_codes(Line, Codes),
    strip_start(Codes, [0' , 0'\t], Rest),
    Rest \== [],
    length(Codes, Length),
    length(Rest, RestLength),
    Indent is Length - RestLength.

dedented_lines([], _, []).
dedented_lines([Line|Lines], Indent, [Line1|Lines1]) :-
    (   split_string(Line, "", " \t", [""]) -> Line1 = ""
    ;   sub_string(Line, Indent, _, 0, Line1)
    ),
    dedented_lines(Lines, Indent, Lines1).

%! interpolate_string(+Template, -String, +Map, +Options)  String is Template with the value of Name = Value in Map for each {Name} and each {Name,Default}; goals(true) is refused, because goals cannot print.
interpolate_string(Template, String, Map, Options) :-
    (   memberchk(goals(true), Options) -> throw(error(domain_error(template_option, goals(true)), _))
    ;   string_codes(Template, Codes),
        template_parts(Codes, [], Map, Parts),
        atomic_list_concat(Parts, Atom),
        atom_string(Atom, String)
    ).

template_parts([], Before, _, [Text]) :-
    text_before(Before, Text).
template_parts([Code|Codes], Before, Map, Parts) :-
    (   Code =:= 0'{, template_slot(Codes, Name, Default, Codes1) ->
        text_before(Before, Text),
        slot_text(Map, Name, Default, Value),
        Parts = [Text, Value|Parts1],
        template_parts(Codes1, [], Map, Parts1)
    ;   template_parts(Codes, [Code|Before], Map, Parts)
    ).

% The text of the codes since the last slot, which stand in reverse order.
text_before(Before, Text) :-
    reverse(Before, Codes),
    atom_codes(Text, Codes).

% A name like that of a variable, and a default if there is one.
template_slot([Code|Codes], Name, Default, Rest) :-
    code_type(Code, prolog_var_start),
    slot_name(Codes, Codes1, Rest1),
    atom_codes(Name, [Code|Codes1]),
    (   Rest1 = [0'}|Rest] -> Default = none
    ;   Rest1 = [0',|Rest2],
        append(Codes2, [0'}|Rest], Rest2) ->
        atom_codes(Atom, Codes2),
        Default = default(Atom)
    ).

slot_name([Code|Codes], Codes1, Rest) :-
    (   code_type(Code, prolog_identifier_continue) ->
        Codes1 = [Code|Codes2],
        slot_name(Codes, Codes2, Rest)
    ;   Codes1 = [],
        Rest = [Code|Codes]
    ).

slot_text(Map, Name, Default, Text) :-
    (   memberchk(Name = Value, Map) -> format(atom(Text), "~w", [Value])
    ;   Default = default(Text) -> true
    ;   throw(error(existence_error(template_var, Name), _))
    ).
