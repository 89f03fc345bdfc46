//! Codes A060 and A061: rules that go wrong while they are played.

use super::Code;

pub(super) const ROWS: &[Code] = &[
    Code {
        code: "A0601",
        title: "a goal that takes too many steps",
        text: "\
Each question to the rules may take 10 million steps (calls of predicates that
are written in rules), so that rules which never end are found instead of
waited for. The message names the goal that was running and, in a game, the
position. Look for recursion that does not come nearer to its end. If the rules
are right and only slow, allow more with --steps N.",
        wrong: "\
terminal(N) :- odd(N).
odd(1).
odd(N) :- M is N - 2, odd(M).
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
        code: "A0602",
        title: "a goal that needs too much memory",
        text: "\
Each question to the rules may use 1 GiB of memory. Here it is spent, usually
because a list or a term grows in every round of a recursion that does not
end, or because a list of all numbers up to a very large one was asked for.
Atoms that rules make for positions and labels count as well, and stay until the
program ends: numbers and terms take less. Fix the recursion; if the rules are
right, allow more with --memory.",
        wrong: "\
terminal(N) :- numlist(0, 1000000000, L), last(L, N).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- N = 1.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0603",
        title: "an error in a goal",
        text: "\
A builtin predicate was called with something that it cannot work with: a
variable without a value, an atom where a number is needed, a division by
zero. The message names the goal and the rule it stands in, and in a game the
position and the moves that led there. Look where the value comes from, or
test it before the goal.",
        wrong: "\
terminal(N) :- 1 // N > 0.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
terminal(N) :- N > 0, 1 // N > 0.
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0604",
        title: "something thrown by the rules",
        text: "\
The rules called throw/1 and nothing caught it. That is a good way to say that
a position is impossible: the message shows what was thrown. Fix what made
the rules throw, or catch it with catch(Goal, Ball, Instead).",
        wrong: "\
terminal(N) :- N < 1, throw(too_small(N)).
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
        code: "A0605",
        title: "an answer that is not complete",
        text: "\
Positions and the labels of moves must be ground: without variables, so that
two of them can be compared and remembered. Here a variable is left in an
answer, or moves/2 gives something that is no list. A misspelt variable is the
usual cause; singleton warnings show it.",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, _).
static_eval(_, 0).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0606",
        title: "no usable value",
        text: "\
static_eval/2 must give a number for every position, and outcome/2 one of
win(max), win(min), draw and score(N) at the end of a game. Here the predicate
fails or gives something else. A last clause for all other cases, such as
static_eval(_, 0), fixes the first. Numbers beyond 2^53 are not exact and are
refused.",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(0, 0).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0607",
        title: "no move, but not the end",
        text: "\
The game defines terminal/1, this position is not terminal by it, and yet the
rules give no move. Either a move was forgotten, or the game is over. Let
terminal/1 hold there, or say what it means when nobody can move:
no_moves(loss), no_moves(draw), no_moves(pass) or no_moves(eval).",
        wrong: "\
terminal(9).
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
        code: "A0608",
        title: "both players or none to move",
        text: "\
The game defines max_to_move/1 and min_to_move/1, and in the position shown
both hold, or neither. Exactly one player moves in a position that is not
over. Correct the two, or remove min_to_move/1: without it MIN moves wherever
MAX does not.",
        wrong: "\
min_to_move(0).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
min_to_move(1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0609",
        title: "two moves of one name",
        text: "\
The labels of move/3 tell the moves of a position apart, so that people and
files can name them. Here two moves of a position have the same label. Add to
the label what makes the difference, the square or the piece, say. If the two
are the same move found twice, make the rule find it once.",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, 1).
move(0, go, 2).
static_eval(N, N).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go(1), 1).
move(0, go(2), 2).
static_eval(N, N).
",
    },
    Code {
        code: "A0610",
        title: "play that need not end",
        text: "\
The search to the end of the game met a position that had been there before in
the same line of play, so play could go round for ever and has no last move.
Limit the search with --depth N; or say with the fact repetition(draw) that
such play is a draw; or count moves in the position. alphorn solve takes it for
a draw with --method retrograde or pns. `check --playouts` warns where no random
game came to an end.",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, 1).
move(1, back, 0).
static_eval(N, N).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
move(1, back, 0).
static_eval(N, N).
repetition(draw).
",
    },
    Code {
        code: "A0611",
        title: "a value outside the declared range",
        text: "\
The game says with value_range(Low, High) which values there are, and the
search stops early when a value cannot be beaten. An evaluation outside the
range would make it wrong. Widen the range, or keep static_eval/2 inside it.",
        wrong: "\
value_range(-1, 0).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
value_range(-1, 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0612",
        title: "a symmetry that changes the value",
        text: "\
canonical/2 or symmetry/2 says that two positions are the same but for a turn
of the board. Then both must be worth the same, and both over or neither. The
position shown and its image are not. Correct the predicate; a common slip is
to forget to swap the player to move, or to swap it where only the board
turns. Every image is tested. canonical/2 must also give the same position when
it is asked of its own answer, or it puts nothing together.",
        wrong: "\
canonical(_, 0).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
canonical(N, N).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0613",
        title: "a game that comes back to a position",
        text: "\
The fact acyclic promises that no position comes again in one game, and the
search relies on it. In random play, or on the best line of a search, one did.
Remove the fact; if a repetition is a draw, write repetition(draw). If
positions should not repeat, look for a move that changes nothing.",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, 1).
move(1, back, 0).
static_eval(N, N).
acyclic.
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
move(1, back, 0).
static_eval(N, N).
repetition(draw).
",
    },
    Code {
        code: "A0614",
        title: "stopped",
        text: "\
Somebody pressed Ctrl-C, or a front end asked to stop, while a goal was
running. Nothing is wrong with the rules. What was found until then has been
printed.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0615",
        title: "a position or move that cannot be played",
        text: "\
The position given by --position, --at or --opening, or a move given by
--moves, does not exist in this game: the text cannot be read as a position,
there is no opening of that number, or the move is not legal there. The help
line names what there is; alphorn moves FILE lists the legal moves.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0616",
        title: "an expectation that does not hold",
        text: "\
The game claims something of itself with :- expect(...), and alphorn test
found otherwise; the message shows what it found. Either the claim is wrong,
or a rule is: the claims nearest to the start of the game are the easiest to
follow by hand, with alphorn moves and --moves.",
        wrong: "\
:- expect(value = 2).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
:- expect(value = 1).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0617",
        title: "something that knows of no chance",
        text: "\
The game has chance/2, so its values are averages, and what was asked for, an
algorithm or a method of solving, is for games in which nothing happens by
chance. The help line names what will do. Or the other way round: ways to
average were to be compared in a game without chance, where nothing is averaged.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0618",
        title: "a risk without bounds",
        text: "\
A risk function is told where a value lies between the worst and the best that
can be, and the rules do not say what these are: the game ends in numbers, and
has no value_range/2. Write value_range(Low, High), and keep static_eval/2
inside; or leave --backup out.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0619",
        title: "chances that cannot be",
        text: "\
chance/2 must give a list of everything that can happen in the position, each
as Weight-Next: how many of all cases this is, a whole number of 1 or more, and
the position after it. Here it gives something else, or an empty list. Write
probabilities as whole numbers: 1 and 2 for one third and two thirds. Where
nothing happens by chance, let chance/2 fail. All weights of a position together
must be less than 2^53.",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, 1).
chance(1, [0.5-2, 0.5-3]).
static_eval(N, N).
",
        right: "\
initial(0).
max_to_move(0).
move(0, go, 1).
chance(1, [1-2, 1-3]).
static_eval(N, N).
",
    },
];
