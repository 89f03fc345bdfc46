//! Codes A01: a text that cannot be read.

use super::Code;

pub(super) const ROWS: &[Code] = &[
    Code {
        code: "A0101",
        title: "something unexpected in a clause",
        text: "\
The words before the marked place make sense, and so may those after it, but
they do not go together. Most often a comma or an operator is missing between
two terms, or a blank stands between a predicate's name and its opening
bracket. The clause is skipped and reading goes on with the next one. Write
what is missing, or remove what is too much.",
        wrong: "\
terminal(N) :- N > 0 N < 2.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- N > 0, N < 2.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0102",
        title: "a quote that is never closed",
        text: "\
A quoted atom ('...'), a text (\"...\") or a list of codes (`...`) must end on
the line it begins on. Without the closing quote, the rest of the line would
become part of the text. Add the quote where the text ends. A quote inside the
text is written twice: 'it''s'.",
        wrong: "\
show(_, ['the board]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
show(_, ['the board']).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0103",
        title: "a comment that is never closed",
        text: "\
A comment that begins with /* goes on to the next */, over as many lines as it
takes. Here the file ends first, so everything after the /* would be ignored.
Add */ where the comment ends. A comment of one line is easier written with %,
which ends with the line.",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
/* The first player wins.
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
/* The first player wins. */
",
    },
    Code {
        code: "A0104",
        title: "a number or a text that is misspelt",
        text: "\
The marked place begins like a number or a text but goes on in a way that has
no meaning: a number that runs into letters, an unknown escape after a
backslash, or a float that is too large. A float needs digits on both sides of
its point: 1.0e10, not 1e10. A backslash inside quotes is written twice.",
        wrong: "\
terminal(N) :- N > 1e10.
no_moves(eval).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- N > 1.0e10.
no_moves(eval).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0105",
        title: "a character that cannot stand in a rule",
        text: "\
Rules are made of names, variables, numbers, texts, operators and brackets.
The marked character belongs to none of these; it often comes along when text
is copied from a web page or a book. Remove it, or put the name it belongs to
between single quotes.",
        wrong: "\
show(_, [“the board”]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
show(_, [\"the board\"]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0106",
        title: "a bracket without its mate",
        text: "\
Every ( [ and { must be closed by its own ) ] or }, in the reverse order,
before the full stop. The marked bracket has no mate, or one of another kind.
Add the missing bracket, or remove the one too many. If the clause looks
right, look for a full stop that ends it too early.",
        wrong: "\
terminal(N) :- member(N, [1, 2).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- member(N, [1, 2]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0107",
        title: "a missing full stop",
        text: "\
Every clause and directive ends with a full stop, followed by a blank or the
end of the line. Without it the clause would run on into the next one. The
marked place is the last word of the clause that lacks its stop: add the stop
there.",
        wrong: "\
terminal(1)
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0108",
        title: "operators that do not fit together",
        text: "\
Operators have priorities, as in arithmetic, where * binds more tightly than
+. Some do not chain (a = b = c has no meaning), and an operator such as :-
binds too loosely to stand inside an argument. Two :- in one clause usually
mean that a full stop is missing between two clauses. Put parentheses around
the part that belongs together.",
        wrong: "\
show(_, [a :- b]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
show(_, [(a :- b)]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0109",
        title: "a missing term",
        text: "\
A term should stand at the marked place, but something else does: two commas
in a row, an operator with nothing after it, a closing bracket right after a
comma, or a full stop with no clause before it. Write the missing term, or
remove the comma or operator that waits for it.",
        wrong: "\
terminal(N) :- N > 0, .
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- N > 0.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0110",
        title: "brackets or goals nested too deep",
        text: "\
Brackets and operators may nest 200,000 deep, and goals inside a clause 10,000
deep; the marked one goes deeper. No rule written by hand comes near these
limits, so the file was probably made by a program, or brackets were repeated
by mistake. Give the inner parts predicates of their own.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0111",
        title: "a variable used like a predicate",
        text: "\
A name that begins with a capital letter or _ is a variable, and a variable
cannot be followed by arguments in brackets. If you meant a predicate, begin
its name with a small letter. If the variable holds the name of a predicate,
write call(Name, Argument).",
        wrong: "\
terminal(N) :- Done(N).
done(1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- done(N).
done(1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
];
