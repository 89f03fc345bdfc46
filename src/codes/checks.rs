//! Codes A03 and A04: rules that can be read but look wrong.

use super::Code;

pub(super) const ROWS: &[Code] = &[
    Code {
        code: "A0301",
        title: "a variable that stands only once",
        text: "\
A variable that occurs once in its clause carries nothing from one place to
another, so either its name is misspelt in one of two places, or its value
does not matter. If it does not matter, write _ or a name that begins with _ ;
the warning goes away. This is a warning: the rules still load.",
        wrong: "\
terminal(N) :- N > 0, M is N + 1.
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
        code: "A0302",
        title: "clauses that do not stand together",
        text: "\
All clauses of a predicate should stand one after the other. Here clauses of
another predicate stand between them, which is often a slip: a misspelt name,
or another number of arguments. The clauses are all kept, in their order. Move
them together, or say that it is meant with :- discontiguous name/arity.",
        wrong: "\
terminal(1).
acyclic.
terminal(2).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(1).
terminal(2).
acyclic.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0303",
        title: "a clause that is never reached",
        text: "\
An earlier clause of the same predicate matches everything that this one
matches, and begins with a cut, so this one is never tried. Prolog takes
clauses from top to bottom: put the special case before the general one, or
remove the clause. Of most game predicates only the first answer counts, so a
clause that answers for every position must be their last.",
        wrong: "\
terminal(_) :- !, fail.
terminal(1).
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
        code: "A0304",
        title: "a predicate that is never called",
        text: "\
Neither the predicates of the game (initial/1, move/3, ...) nor an expectation
reach this predicate. Perhaps it is left over, or its name is misspelt here or
where it should be called. Remove it, call it, or name it in an expectation
such as :- expect(holds(...)). This is a warning.",
        wrong: "\
double(X, Y) :- Y is 2 * X.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- expect(holds(double(2, 4))).
double(X, Y) :- Y is 2 * X.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0305",
        title: "a library predicate replaced",
        text: "\
The file defines a predicate that the library has too. That is allowed, and
your definition is used in your file, as textbooks define their own append/3.
The warning is there because it may not have been meant. Remove your clauses
to use the library's, or rename them.",
        wrong: "\
terminal(N) :- last([0, 1], N).
last([X], X).
last([_|Xs], X) :- last(Xs, X).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- last([0, 1], N).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0306",
        title: "an extra without its library",
        text: "\
The predicate is an extra of alphorn that other Prolog systems do not know. It
works here, but another system needs the file lib/alphorn.pl to load the game.
Write :- use_module(library(alphorn)). at the head of the file, and every
system finds it.",
        wrong: "\
terminal(N) :- put_arg(1, p(0), N, p(1)).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- use_module(library(alphorn)).
terminal(N) :- put_arg(1, p(0), N, p(1)).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0307",
        title: "an expression that is not computed",
        text: "\
Only is/2 and the comparisons of numbers compute. Anywhere else N - 1 is a term
with the name -, and = or == compare it as it stands, so it equals no number.
The left side of is/2 is not computed either, and a variable keeps its value:
N is N - 1 never holds. Write M is N - 1, with a new variable, or =:= to
compare. A term is as it should be where terms are meant: the warning needs a
sign that a number is.",
        wrong: "\
terminal(N) :- N mod 2 = 1.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- N mod 2 =:= 1.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0308",
        title: "a word where a number or an answer is needed",
        text: "\
Arithmetic knows numbers, variables and its own functions. The marked word is
none of these: a variable with a small letter, a text, or a predicate, which
gives its answer in an argument and not in its place. Ask the predicate before,
as in length(List, N), and use N. This is a warning.",
        wrong: "\
terminal(N) :- N > n.
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
        code: "A0309",
        title: "a goal that nothing can answer",
        text: "\
No clause of the predicate has a head that the goal could match, so it always
fails. Often a constant is misspelt, a variable begins with a small letter, a
text in double quotes stands for an atom, between/3 has the greater number
first, or a list and its element are exchanged. The same is said of heads that
no position can match, and of a first position in which no clause moves. A
constant that no fact has is no mistake by itself. This is a warning.",
        wrong: "\
terminal(N) :- end(n, N).
end(last, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- end(last, N).
end(last, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0310",
        title: "a recursion without an end",
        text: "\
Every clause of the predicate calls it again, whatever else holds. So no answer
is ever complete: the goal fails in the end, or runs for ever. Add a clause for
the simplest case, the empty list or the number 0, that does not call it. A
clause that only exchanges the arguments of its own predicate runs for ever as
well, once it is asked for one more answer. This is a warning.",
        wrong: "\
terminal(N) :- odd(N).
odd(N) :- N > 1, M is N - 2, odd(M).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- odd(N).
odd(1).
odd(N) :- N > 1, M is N - 2, odd(M).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0311",
        title: "a clause for no position",
        text: "\
Positions have the shape that initial/1 and the moves give them: a name, a
number of arguments, and terms inside. The head of this clause has another shape
in the place of the position, so the clause never applies, and Alphorn asks the
other clauses only. The second mark shows where such a position is made. Often
an argument is missing or one too many. The same code marks a move to a position
that no predicate of the game takes. This is a warning. Programs of more than
5,000 clauses are not examined for it, nor for A0312.",
        wrong: "\
initial(p(max, 0)).
max_to_move(p(max, _)).
move(p(max, N), go, p(min, M)) :- M is N + 1.
static_eval(p(N), N).
static_eval(p(_, N), N).
",
        right: "\
initial(p(max, 0)).
max_to_move(p(max, _)).
move(p(max, N), go, p(min, M)) :- M is N + 1.
static_eval(p(_, N), N).
",
    },
    Code {
        code: "A0312",
        title: "a clause for no label",
        text: "\
The labels of moves have the shape that move/3 gives them. The head of this
clause has another shape in the place of the label, so the clause never applies.
Write the label as move/3 does. This is a warning.",
        wrong: "\
initial(1).
max_to_move(1).
move(1, 1-2, 2).
prefer(_, move(_, To), To).
static_eval(N, N).
",
        right: "\
initial(1).
max_to_move(1).
move(1, 1-2, 2).
prefer(_, _-To, To).
static_eval(N, N).
",
    },
    Code {
        code: "A0401",
        title: "a variable without a value in arithmetic",
        text: "\
The right side of is/2 and both sides of a comparison must be numbers when the
goal is called. The marked variable stands in no goal before this one, so
nothing can have given it a value. Goals run from left to right: move the goal
that binds the variable before this one, or correct its name. What a game
predicate is to answer has no value before a goal gives it one, and == gives
none: that is a warning, for other goals may call it otherwise.",
        wrong: "\
terminal(N) :- M > 0, M is N.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- M is N, M > 0.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0402",
        title: "recursion that never ends",
        text: "\
The clause calls its own predicate before anything else, with arguments that
are no more special than its own, so it calls itself again for ever. Put a
goal that makes progress first; or write :- table name/arity. before the
clauses, which remembers answers and makes such left recursion end.",
        wrong: "\
terminal(N) :- reach(0, N).
reach(X, Z) :- reach(X, Y), step(Y, Z).
reach(X, Y) :- step(X, Y).
step(0, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- table reach/2.
terminal(N) :- reach(0, N).
reach(X, Z) :- reach(X, Y), step(Y, Z).
reach(X, Y) :- step(X, Y).
step(0, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0403",
        title: "a negation that depends on itself",
        text: "\
A tabled predicate asks, through \\+ or a condition, that something is not so
which in turn depends on the predicate itself. Whether it holds would decide
whether it holds, so it has no meaning. Split the predicate in two, so that
what is negated is complete before it is asked. For a game's won and lost
positions, leave the recursion to the search.",
        wrong: "\
:- table won/1.
terminal(N) :- won(N).
won(N) :- step(N, M), \\+ won(M).
step(0, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- won(N).
won(N) :- step(_, N), \\+ step(N, _).
step(0, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
];
