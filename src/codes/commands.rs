//! Codes from A0620 on: what cannot be done, as it was asked for.

use super::Code;

pub(super) const ROWS: &[Code] = &[
    Code {
        code: "A0620",
        title: "something that is not there",
        text: "\
The command names a file that cannot be read or written, or is not UTF-8 text,
or an example, a code, a predicate, an order or a setting that does not exist;
or, with --json or at the prompt, its arguments are wrong. The message says what
it is. Check the name and the folder; save texts as UTF-8 in the editor. alphorn
example, alphorn explain and alphorn listing list what there is, and at the
prompt :help and :set do.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0621",
        title: "an experiment that cannot be made",
        text: "\
A tree of the laboratory would be larger than can be drawn, searched or
counted. The message says how large a tree may be. Make it lower, or give it
fewer moves.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0622",
        title: "a search that has no tree",
        text: "\
The tree of this search cannot be drawn: it deepens, keeps what it finds in a
table, or plays at random, so that it has many trees, or none. Ask for the tree
of another search, such as alphorn tree FILE --algorithm alphabeta.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0623",
        title: "a file that is not written over",
        text: "\
A result was to be written to a file that holds the rules in use: one that is
loaded, or included, used as a module, or laid over it. Or the file holds
something else than what is to be written: a proof takes the place of a proof, a
picture that of a picture. Or :save was given a file that it has not written.
Nothing was written. Name another file, or remove this one first. What :save has
not written it replaces after :save FILE --force, but rules in use never.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0624",
        title: "an expectation that is not decided",
        text: "\
alphorn test gives each expectation a time, 60 seconds if --time says nothing
else. In that time the expectation was neither proved nor refuted, or you
interrupted the test. Nothing is known to be wrong with the rules. Allow more
time, such as --time 600, or claim the value of a position nearer to the end, or
the value to a depth: value(Pos, 8) = V. The exit status is 2, or 130 after an
interrupt.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0625",
        title: "a notation that is not read back",
        text: "\
write_position/2 writes positions in a notation, and read_position/2 reads it,
so that a text that Alphorn shows can be given to --at. Here the text of a
position cannot be read, or is read as another position. Correct one of the
two; a common slip is to leave a number as the atom that was read. This is a
warning.",
        wrong: "\
write_position(N, N).
read_position(Text, Text).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
        right: "\
write_position(N, N).
read_position(Text, N) :-
    atom_number(Text, N).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
",
    },
    Code {
        code: "A0626",
        title: "a term that contains itself",
        text: "\
A goal such as X = f(X) makes a term that has no end: X is f(f(f(...))). No
position, label or answer can be such a term, for it could be neither kept nor
shown. Mostly a variable was written twice where two were meant. Where a goal is
to fail instead, use unify_with_occurs_check(X, T).",
        wrong: "\
initial(0).
max_to_move(0).
move(0, go, P) :- P = next(P).
terminal(next(_)).
outcome(next(_), draw).
",
        right: "\
initial(0).
max_to_move(0).
move(P, go, Q) :- P = 0, Q = next(P).
terminal(next(_)).
outcome(next(_), draw).
",
    },
    Code {
        code: "A0627",
        title: "a clause whose head never matched",
        text: "\
check --playouts plays games, then asks every game predicate in up to 1,000 of
their positions and looks which clauses were used. The heads of the clauses
shown matched no call. That is right for a rare case, so this is a note, which
counts as no warning. Otherwise look what the calls hold at that place: another
name, another order of arguments, 3-1 where 3/1 stands.",
        wrong: "\
initial(pile(20)).
moves(pile(N), L) :- findall(pile(M), (between(1, 3, K), N >= K, M is N - K), L).
terminal(pile(0)).
max_to_move(pile(N)) :- N mod 2 =:= 0.
static_eval(pile(N), V) :- worth(N, V).
worth(none, -1).
worth(N, 0) :- N >= 0.
",
        right: "\
initial(pile(20)).
moves(pile(N), L) :- findall(pile(M), (between(1, 3, K), N >= K, M is N - K), L).
terminal(pile(0)).
max_to_move(pile(N)) :- N mod 2 =:= 0.
static_eval(pile(N), V) :- worth(N, V).
worth(0, -1).
worth(N, 0) :- N > 0.
",
    },
    Code {
        code: "A0628",
        title: "a goal that failed in every call",
        text: "\
check --playouts plays games, then asks every game predicate in up to 1,000 of
their positions. The goals shown were called there and never succeeded, so the
clause never succeeded, or the branch behind a condition was never taken, or a
list of findall/3 stayed empty. That is right for a rare case, so this is a
note, which counts as no warning. Otherwise look at the arguments of the goal,
and ask alphorn whynot about one of its calls.",
        wrong: "\
initial(pile(20)).
moves(pile(N), L) :- findall(pile(M), (between(1, 3, K), N >= K, M is N - K), L).
terminal(pile(0)).
max_to_move(pile(N)) :- N mod 2 =:= 0.
static_eval(pile(N), V) :- worth(N, V).
worth(N, -1) :- memberchk(n-N, [n=0]).
worth(N, 0) :- N >= 0.
",
        right: "\
initial(pile(20)).
moves(pile(N), L) :- findall(pile(M), (between(1, 3, K), N >= K, M is N - K), L).
terminal(pile(0)).
max_to_move(pile(N)) :- N mod 2 =:= 0.
static_eval(pile(N), V) :- worth(N, V).
worth(N, -1) :- memberchk(n=N, [n=0]).
worth(N, 0) :- N > 0.
",
    },
    Code {
        code: "A0630",
        title: "a game too large for the memory",
        text: "\
Solving keeps every position that it meets, and all of them together would
take more memory than allowed, 1 GiB if nothing else is said. The message says
how many there were until then. Allow more with --memory, such as --memory 8G;
let canonical/2 fold positions that are the same by symmetry; or take
--method pns or alphabeta, which forget what they can find again.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0631",
        title: "something that a method of solving cannot do",
        text: "\
Each method knows other things of a game. Retrograde analysis knows every
position and its distance to the end; where a game ends in numbers, no position
must come again. Proof-number search knows who wins, and nothing of numbers.
Alpha-beta search keeps no positions, so it has nothing to save and no proof.
Take the method that the help line names.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0632",
        title: "a file of values that cannot be used",
        text: "\
The file given to --save or --table cannot be read or written, is no file of
values, or belongs to another game: to other rules, or to other parameters of
the same rules. A value of another game would be a wrong one. Name another
file, or solve the game again with alphorn solve FILE --save.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0633",
        title: "a proof that does not stand",
        text: "\
By the rules of this game the line that is named proves nothing: a move of the
other side has no answer, a position is over or cannot be reached, a rank does
not get smaller, or the text cannot be read. Either the proof was changed, or
it was written for other rules or parameters. alphorn solve FILE --proof PROOF
writes it anew.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0634",
        title: "a table that there is no room for",
        text: "\
A search keeps what it finds in a table, of as many mebibytes as --hash says, 64
if it says nothing; solving by alpha-beta takes half of --memory for it. The
system has no such room. Give less: --hash 64, or --memory 1G.",
        wrong: "",
        right: "",
    },
    Code {
        code: "A0640",
        title: "a match that cannot be played",
        text: "\
Either the two sides do not play the same game, or there is no opening to begin
with. A side of alphorn match may have parameters and overlays of its own for
how it judges positions. Its moves must still be legal by the rules of the
match, and it must agree on whose turn it is: what changes the game itself is
given to the match, not to a side. Openings are random moves after which the
game still goes on; take fewer of them where games are short.",
        wrong: "",
        right: "",
    },
];
