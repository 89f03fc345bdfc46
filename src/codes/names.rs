//! Codes A02: names, directives and files.

use super::Code;

pub(super) const ROWS: &[Code] = &[
    Code {
        code: "A0201",
        title: "a predicate that is not defined",
        text: "\
The rules call a predicate that neither the file nor a library it uses
defines. Often the name is misspelt, and then the message names the nearest
one; or the predicate is still to be written; or it stands in a library that
the file does not load with use_module. Correct the name, or define the
predicate.",
        wrong: "\
terminal(N) :- membr(N, [1]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- member(N, [1]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0202",
        title: "a predicate with another number of arguments",
        text: "\
A predicate is known by its name and its number of arguments together: reach/2
and reach/3 are two different predicates. Here the name is defined, but not
with the number of arguments it is called with. Add or remove arguments in the
call, or define the predicate that is meant.",
        wrong: "\
terminal(N) :- near(N).
near(1, 2).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- near(N, 2).
near(1, 2).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0203",
        title: "a predicate that rules may not use",
        text: "\
Rules are pure: asked the same question, they give the same answer, and they
change nothing. So predicates that keep state, read input, draw random numbers
or ask the search are not available in them. Whatever changes during a game
belongs into the position, which move/3 or moves/2 passes on. The help line of
the message names the pure way for each predicate.",
        wrong: "\
terminal(N) :- assertz(seen(N)).
seen(1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- seen(N).
seen(1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0204",
        title: "a builtin defined again",
        text: "\
Control such as , and -> and the core predicates such as is/2 or atom_length/2
mean the same in every program, and other rules rely on that. A file cannot
define them again. Give your predicate a name of its own. Library predicates
such as append/3 may be replaced: see A0305.",
        wrong: "\
terminal(N) :- atom_length(N, 1).
atom_length(1, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- my_length(N, 1).
my_length(1, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0205",
        title: "something that is no goal",
        text: "\
The body of a clause is made of goals: a predicate's name with its arguments,
or a variable that will be bound to one. A number or a text cannot be called.
Often a comparison was meant, or a comma stands where an operator should.",
        wrong: "\
terminal(N) :- N > 0, 1.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- N > 0, N =:= 1.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0206",
        title: "something that is no clause",
        text: "\
A clause begins with its head: the name of the predicate it defines, with
arguments. A variable, a number or a text cannot be defined. Often a capital
letter was written where a small one was meant. In a grammar rule (-->) the
terminals are lists, such as [a, b].",
        wrong: "\
1.
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
        code: "A0207",
        title: "a file or library that is not there",
        text: "\
The directive names a library that does not exist, or a file that cannot be
read, or one that would include itself. Libraries are called by their name:
library(lines). Other files are looked for in the folder of the file that
names them. Correct the name, or put the file there.",
        wrong: "\
:- use_module(library(grd)).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- use_module(library(grid)).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0208",
        title: "a path that leads out of the folder",
        text: "\
A game may load files of its own folder and of the folders below it, and the
libraries that come with alphorn; nothing else. So a game that you were given
cannot read your other files. Move the file beside the game and give its plain
name.",
        wrong: "\
:- include('../secret').
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- use_module(library(grid)).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0209",
        title: "a directive that is not known here",
        text: "\
A directive (:- ...) tells the loader something: operators, libraries,
parameters, tabling, expectations. It runs nothing, so goals, flags and
initialization have no place in a rules file, and neither has a question (?-).
Ask goals with alphorn query FILE 'GOAL', or state what should hold with :-
expect(holds(Goal)).",
        wrong: "\
:- initialization(main).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- expect(holds(initial(_))).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0210",
        title: "a directive with a wrong argument",
        text: "\
The directive is known, but one of its arguments is not what it needs, and the
marked one is it: an operator's priority is a number from 0 to 1200, a table
names predicates as name/arity, a parameter has a default within its range.
The help line shows the directive written out.",
        wrong: "\
:- op(1300, xfx, beats).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- op(700, xfx, beats).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0211",
        title: "a parameter that cannot be set so",
        text: "\
With -p NAME=VALUE a parameter of the game is changed from the command line.
The game declares no parameter of that name, or the value is outside the set
that the declaration :- param(Name, Default, Set, Meaning). allows. The
message names the parameters or the values that there are.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0212",
        title: "a rule of the game that writes",
        text: "\
The search asks the rules millions of times, in an order of its own, so text
written by them would mean nothing. Predicates that the game's own predicates
reach must not write. Give the text back as a term instead: show(Pos, Lines)
is asked when a position is to be drawn, and format(atom(A), ...) builds text.",
        wrong: "\
terminal(N) :- write(N), N > 0.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- N > 0.
show(N, [N]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
];
