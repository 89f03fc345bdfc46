//! Codes A05: what a game must define.

use super::Code;

pub(super) const ROWS: &[Code] = &[
    Code {
        code: "A0501",
        title: "no initial position",
        text: "\
A game must say where it begins: initial(Pos), a fact or a rule with the start
position as a ground term. Its first answer is the usual start, further ones
are openings by number. Either the predicate is missing, or it has no answer.",
        wrong: "\
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0502",
        title: "no moves",
        text: "\
A game must say which moves there are, in one of two forms: moves(Pos,
Successors) gives the list of positions after one move, move(Pos, Label, Next)
gives one move at a time with a name for it. Define one of the two. If the
message names one with another number of arguments, that is probably it.",
        wrong: "\
initial(0).
max_to_move(0).
static_eval(N, N).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0503",
        title: "nobody to move",
        text: "\
The two players are called MAX and MIN. A game must say who moves in a
position: max_to_move(Pos) holds where MAX does, and where it does not hold
MIN moves; min_to_move(Pos) may be given instead. Usually the player to move
is part of the position.",
        wrong: "\
initial(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0504",
        title: "two kinds of moves",
        text: "\
The file defines both moves/2, which lists successors, and move/3, which names
moves. The game would have two sets of moves, so one has to go. If one is a
helper of the other, give it a name of its own.",
        wrong: "\
moves(0, [1]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
successors(0, [1]).
:- expect(holds(successors(0, [1]))).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0505",
        title: "no evaluation",
        text: "\
Neither static_eval/2 nor outcome/2 is defined, nor does no_moves(loss) say who
has won, so every position is worth 0 and every game a draw. Write
static_eval(Pos, Value) with a number that is larger the better the position is
for MAX, or outcome(Pos, Result), which says at the end of a game who won. This
is a warning.",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, 1).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0506",
        title: "a fact with a wrong meaning",
        text: "\
Some facts tell the engine what it may rely on: no_moves(loss),
repetition(draw), value_range(-1, 1), and each knows only a few words. The
marked word is none of them, or two numbers are not in order, or such a fact
stands twice, or no_moves(pass) stands without pass/2. The help line names what
may be written.",
        wrong: "\
no_moves(lost).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
no_moves(loss).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0507",
        title: "something that is no expectation",
        text: "\
With :- expect(...) a game states what must be true of it, and alphorn test
checks that. The marked text is none of the forms there are: perft, value,
best, holds and fails, with positions and numbers written out. The help line
lists them.",
        wrong: "\
:- expect(initial(0)).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- expect(holds(initial(0))).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0508",
        title: "a game predicate with another number of arguments",
        text: "\
The predicate has the name of one that the engine asks for, and another number
of arguments, and nothing else calls it. So it has no effect, whether or not
the game defines the right one too. The help line says how the game predicate
is written.
A helper of such a name is fine where the rules call it. This is a warning.",
        wrong: "\
terminal(1, _).
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
        code: "A0509",
        title: "arguments in another order",
        text: "\
A game predicate takes the position first and gives its answer last: moves(Pos,
Successors), move(Pos, Label, Next), static_eval(Pos, Value). Here a term of the
form that positions have stands where an answer should, and none where the
position should. The help line has the arguments in their order. This is a
warning.",
        wrong: "\
initial(p(0)).
max_to_move(_).
moves([p(1)], p(0)).
static_eval(_, 0).
",
        right: "\
initial(p(0)).
max_to_move(_).
moves(p(0), [p(1)]).
static_eval(_, 0).
",
    },
];
