//! Codes of advice: tables that are written wrongly, and tables that have nothing to say.

use super::Code;

pub(super) static ROWS: &[Code] = &[
    Code {
        code: "A0701",
        title: "something that is no part of an advice table",
        text: "\
An advice table is made of two kinds of facts. Rules, in the order in which they
are tried:
    Name :: if Condition then [Advice, ...].
and pieces of advice, of which only the better-goal must be there:
    advice(Name, [better(Goal), holding(Goal), us(Moves), them(Moves)]).
A goal is the name of a predicate of the position, a comparison of numbers, or
goals with and, or, not between them. The operators come from library(alphorn).",
        wrong: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
advice(win, [holding(true)]).
",
        right: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
advice(win, [better(at_end), holding(true)]).
at_end(2).
",
    },
    Code {
        code: "A0702",
        title: "advice, or a class of moves, that is not defined",
        text: "\
A rule names a piece of advice that no advice/2 defines, or a constraint a class
of moves that no clause of move_class/4 tells. Correct the name, or define it:
    move_class(capture, Pos, Label, Next) :- ...",
        wrong: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [wim].
advice(win, [better(at_end)]).
at_end(2).
",
        right: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
advice(win, [better(at_end)]).
at_end(2).
",
    },
    Code {
        code: "A0703",
        title: "advice that can never make its first move",
        text: "\
The constraint us(Moves) allows no move at depth 0, where the side of the table
makes its first move, so the advice can never be followed. Depth counts plies
from where the advice starts: 0 is our first move, 1 the first reply, 2 our
second move, if sides take turns.",
        wrong: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
advice(win, [better(at_end), us([at(1, legal)])]).
at_end(2).
",
        right: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
advice(win, [better(at_end), us([at(0, legal)])]).
at_end(2).
",
    },
    Code {
        code: "A0704",
        title: "advice that no rule names",
        text: "\
Only what a rule of the table names is ever tried. Name it in a rule, or remove
it.",
        wrong: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
advice(win, [better(at_end)]).
advice(wait, [better(at_end)]).
at_end(2).
",
        right: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win, wait].
advice(win, [better(at_end)]).
advice(wait, [better(at_end)]).
at_end(2).
",
    },
    Code {
        code: "A0705",
        title: "a number that is asked whether it holds",
        text: "\
In a comparison of a table a name is a number: name is the N of name(Pos, N).
Anywhere else it is a goal, and a predicate of two arguments is asked of the
position and of the root, where the advice started. This predicate gives a
number, as comparisons or its own clauses show; as a goal a number holds of
nothing. Compare it with something, or give the goal a name of its own.
This is a warning.",
        wrong: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
advice(win, [better(size), holding(size < 3)]).
size(N, N).
",
        right: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
advice(win, [better(size > root(size)), holding(size < 3)]).
size(N, N).
",
    },
    Code {
        code: "A0706",
        title: "a rule of a table that never speaks",
        text: "\
The rules of a table are tried in their order, and the first whose condition
holds is the only one that counts. A rule before this one has the condition
true. Move this rule before that one, or remove it. This is a warning.",
        wrong: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
otherwise :: if true then [win].
first :: if at_start then [win].
advice(win, [better(at_end)]).
at_start(1).
at_end(2).
",
        right: "\
:- use_module(library(alphorn)).
initial(1).
moves(1, [2]).
max_to_move(_).
static_eval(N, N).
first :: if at_start then [win].
otherwise :: if true then [win].
advice(win, [better(at_end)]).
at_start(1).
at_end(2).
",
    },
    Code {
        code: "A0710",
        title: "a game without advice",
        text: "\
alphorn advise and prove ask an advice table, and alphorn advice-worth a table,
prefer/3 or prune/2; the rules have none. Write some, in the game's file or in
an overlay that --with names.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0711",
        title: "a table that has nothing to say",
        text: "\
In this position no rule's condition holds, or none of the advice of the rule
that speaks can be forced, and a player was to follow the table alone. alphorn
advise tells what was tried and what refutes it. End the table with a rule for
what is left, and each rule with advice that can always be followed; or let a
search decide where the table is silent: --advice plan.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0712",
        title: "a better-goal that holds already",
        text: "\
The better-goal of a piece of advice holds before a move is made. Such advice is
reached at once and followed for ever. Let the goal say what is new: compare
with the root, as in room < root(room), or ask that the other side is to move.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0713",
        title: "a forcing tree that grows too large",
        text: "\
Nothing but the depths in its constraints bounds how far a piece of advice looks
ahead. Bound it, such as us([at(0, legal), at(2, check)]) and them([at(1,
legal)]), or allow more positions for a tree with --tree N.",
        wrong: "",
        right: "",
    },
];
