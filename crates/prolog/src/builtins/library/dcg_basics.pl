:- module(dcg_basics,
          [ white//0, whites//0, nonblank//1, nonblanks//1, blank//0, blanks//0, blanks_to_nl//0,
            string//1, string_without//2, alpha_to_lower//1, digits//1, digit//1, integer//1, float//1, number//1,
            xinteger//1, xdigit//1, xdigits//1, eos//0, eol//0, remainder//1, prolog_symbol//1, csym//1, csyms//1,
            prolog_var_name//1, atom//1
          ]).

% Grammar rules over lists of codes.

%! white  A blank or a tab.
white --> [C], { nonvar(C), is_white(C) }.

is_white(0' ).
is_white(0'\t).

%! whites  Blanks and tabs, as many as there are.
whites --> white, !, whites.
whites --> [].

%! blank  A blank, tab, line's end or the like.
blank --> [C], { nonvar(C), code_type(C, space) }.

%! blanks  As many of them as there are.
blanks --> blank, !, blanks.
blanks --> [].

%! nonblank(-Code)  A code that shows.
nonblank(C) --> [C], { code_type(C, graph) }.

%! nonblanks(-Codes)  As many of them as there are.
nonblanks([C|Cs]) --> [C], { code_type(C, graph) }, !, nonblanks(Cs).
nonblanks([]) --> [].

%! blanks_to_nl  Blanks up to the line's end, which is taken too, or to the end.
blanks_to_nl --> [C], { C \== 0'\n, nonvar(C), code_type(C, space) }, !, blanks_to_nl.
blanks_to_nl --> "\n", !.
blanks_to_nl, [] --> eos.

%! string(-Codes)  As few codes as possible, then more.
string([]) --> [].
string([C|Cs]) --> [C], string(Cs).

%! string_without(+End, -Codes)  As many codes as there are before one of End.
string_without(End, Codes) -->
    { string(End), !, string_codes(End, EndCodes) },
    codes_without(EndCodes, Codes).
string_without(End, Codes) --> codes_without(End, Codes).

codes_without(End, [C|Cs]) --> [C], { \+ memberchk(C, End) }, !, codes_without(End, Cs).
codes_without(_, []) --> [].

%! alpha_to_lower(?Code)  A letter; Code is the small one.
alpha_to_lower(L) --> [C], { nonvar(C), code_type(C, alpha), code_type(C, to_upper(L0)), L = L0 }.

%! digits(?Codes)  Digits, as many as there are.
digits([C|Cs]) --> digit(C), !, digits(Cs).
digits([]) --> [].

%! digit(?Code)  One digit.
digit(C) --> [C], { code_type(C, digit) }.

%! integer(?Number)  A whole number, with a sign or without.
integer(N, Head, Tail) :-
    integer(N),
    !,
    format(codes(Codes), "~d", [N]),
    append(Codes, Tail, Head).
integer(N) --> integer_codes(Codes), { number_codes(N, Codes) }.

integer_codes([0'-, D|Ds]) --> "-", !, digits_1([D|Ds]).
integer_codes([D|Ds]) --> ( "+" -> [] ; [] ), digits_1([D|Ds]).

digits_1([D|Ds]) --> digit(D), digits(Ds).

%! float(?Number)  A number as a float.
float(F, Head, Tail) :-
    float(F),
    !,
    format(codes(Codes), "~w", [F]),
    append(Codes, Tail, Head).
float(F) --> number_codes_of(Codes), { number_codes(F0, Codes), F is float(F0) }.

%! number(?Number)  A number: with a fraction or an exponent a float.
number(N, Head, Tail) :-
    number(N),
    !,
    format(codes(Codes), "~w", [N]),
    append(Codes, Tail, Head).
number(N) --> number_codes_of(Codes), { number_codes(N, Codes) }.

number_codes_of(Codes) -->
    integer_codes(Whole),
    (   fraction(Fraction) -> []
    ;   { Fraction = [] }
    ),
    (   exponent(Exponent) -> []
    ;   { Exponent = [] }
    ),
    { with_fraction(Fraction, Exponent, Fraction1), append([Whole, Fraction1, Exponent], Codes) }.

fraction([0'., D|Ds]) --> ".", digits_1([D|Ds]).

exponent([0'e|Codes]) --> ( "e" ; "E" ), exponent_codes(Codes).

exponent_codes([0'-|Ds]) --> "-", !, digits_1(Ds).
exponent_codes(Ds) --> ( "+" -> [] ; [] ), digits_1(Ds).

% An exponent needs a fraction before it.
with_fraction([], [_|_], [0'., 0'0]) :- !.
with_fraction(Fraction, _, Fraction).

%! xinteger(?Number)  A whole number in hexadecimal digits.
xinteger(N, Head, Tail) :-
    integer(N),
    !,
    format(codes(Codes), "~16r", [N]),
    append(Codes, Tail, Head).
xinteger(N) --> xdigit(D), xdigits(Ds), { foldl('$add_xdigit', [D|Ds], 0, N) }.

'$add_xdigit'(D, N0, N) :-
    N is N0 * 16 + D.

%! xdigits(-Weights)  Hexadecimal digits, as many as there are.
xdigits([D|Ds]) --> xdigit(D), !, xdigits(Ds).
xdigits([]) --> [].

%! xdigit(-Weight)  One hexadecimal digit, as a number from 0 to 15.
xdigit(D) --> [C], { code_type(C, xdigit(D)) }.

%! eos  The end of the list.
eos([], []).

%! eol  A line's end, or the end of the list.
eol --> "\n", !.
eol --> "\r\n", !.
eol --> eos.

%! remainder(-Codes)  All the rest.
remainder(Rest, Rest, []).

%! prolog_symbol(-Atom)  As many symbol characters as there are, one at least.
prolog_symbol(Atom) --> symbol_code(C), symbol_codes(Cs), { atom_codes(Atom, [C|Cs]) }.

symbol_codes([C|Cs]) --> symbol_code(C), !, symbol_codes(Cs).
symbol_codes([]) --> [].

symbol_code(C) --> [C], { nonvar(C), code_type(C, prolog_symbol) }.

%! csyms(-Codes)  Letters, digits and `_`, as many as there are.
csyms([C|Cs]) --> csym(C), !, csyms(Cs).
csyms([]) --> [].

%! csym(-Code)  A letter, digit or `_`.
csym(C) --> [C], { nonvar(C), code_type(C, csym) }.

%! prolog_var_name(-Name)  The name of a variable.
prolog_var_name(Name) -->
    [C], { nonvar(C), code_type(C, prolog_var_start) }, !,
    csyms(Cs),
    { atom_codes(Name, [C|Cs]) }.

%! atom(?Atom)  The text of an atomic term.
atom(Atom, Head, Tail) :-
    must_be(nonvar, Atom),
    format(codes(Codes), "~w", [Atom]),
    append(Codes, Tail, Head).
