//! Tests the mistakes that `check --playouts` finds by playing, and that no single clause shows.
//!
//! The test has a correct game and a table of mistakes: a text of the game, and its wrong replacement. Each
//! mistake must be reported with its code at the place where a person would look.

use super::{file, json, run};
use serde_json::Value;

/// Tokens on a row of ten squares. A token moves one or two squares ahead; a player who cannot move loses.
const ROW: &str = "\
initial(row(max, [max-1, max-2, min-9, min-10])).
max_to_move(row(max, _)).
move(row(Player, Tokens), From-To, row(Other, Next)) :-
    other(Player, Other),
    select(Player-From, Tokens, Rest),
    step(Player, Step),
    To is From + Step,
    between(1, 10, To),
    \\+ memberchk(_-To, Rest),
    put(Player, To, Rest, Next).
move(row(Player, Tokens), off(From), row(Other, Rest)) :-
    other(Player, Other),
    select(Player-From, Tokens, Rest),
    home(Player, From).
terminal(row(Player, Tokens)) :-
    stuck(Player, Tokens).
outcome(row(Player, Tokens), win(Player)) :-
    \\+ memberchk(Player-_, Tokens).
outcome(row(Player, _), win(Other)) :-
    other(Player, Other).
static_eval(row(_, Tokens), Value) :-
    sum(max, Tokens, A),
    sum(min, Tokens, B),
    Value is A - B.
noisy(row(_, _), off(_)).
prefer(row(_, _), From-_, 1) :-
    From > 5.
shown_move(row(_, _), Label, Text) :-
    label_text(Label, Text).
show(row(_, Tokens), [Line]) :-
    findall(C, (between(1, 10, S), letter(S, Tokens, C)), Cs),
    atomic_list_concat(Cs, Line).
acyclic.
canonical(row(P, Ts), row(P, Sorted)) :-
    sort(Ts, Sorted).
stuck(Player, Tokens) :-
    \\+ move(row(Player, Tokens), _, _).
put(Player, To, Rest, Next) :-
    sort([Player-To|Rest], Next).
other(max, min).
other(min, max).
step(max, 1).
step(max, 2).
step(min, -1).
step(min, -2).
home(max, 10).
home(min, 1).
sum(Player, Tokens, Sum) :-
    findall(P, (member(Player-S, Tokens), far(Player, S, P)), Ps),
    sum_list(Ps, Sum).
far(max, S, S).
far(min, S, P) :-
    P is 11 - S.
label_text(off(From), Text) :-
    atom_concat(off, From, Text).
label_text(From-To, Text) :-
    atomic_list_concat([From, To], -, Text).
letter(S, Tokens, Letter) :-
    (   memberchk(Owner-S, Tokens)
    ->  sign(Owner, Letter)
    ;   Letter = '.'
    ).
sign(max, x).
sign(min, o).
";

/// The mistakes: text of the game, its replacement, code, the text at the marked place, and words that must
/// occur in the message, in a label or in the help.
const MISTAKES: &[(&str, &str, &str, &str, &str)] = &[
    // Clauses whose head never matches.
    ("home(max, 10).", "home(max, at(10)).", "", "home(max, at(10))", "never matched"),
    ("far(max, S, S).", "far(max, _-S, S).", "", "far(max, _-S, S)", "never matched in"),
    ("label_text(From-To, T", "label_text(From/To, T", "", "label_text(From/To, Text)", "never matched"),
    ("noisy(row(_, _), off(_)).", "noisy(row(_, _), off(0)).", "A0627", "noisy(row(_, _), off(0))", "calls of noisy/2"),
    // Goals that never succeed: in a rule, in a condition, in a list of answers.
    ("    home(Player, From).", "    home(From, Player).", "", "home(From, Player)", "failed"),
    ("memberchk(Owner-S, Tokens)", "memberchk(S-Owner, Tokens)", "", "S-Owner", "never succeeds"),
    ("member(Player-S, Tokens)", "member(t(Player, S), Tokens)", "", "member(t(Player, S), Tokens)", "failed"),
    // A game that is over before its first move.
    (
        "select(Player-From, Tokens, Rest),\n    step",
        "select(From-Player, Tokens, Rest),\n    step",
        "A0607",
        "select(From-Player, Tokens, Rest)",
        "this goal fails",
    ),
    (
        "move(row(Player, Tokens), _, _)",
        "move(row(Tokens, Player), _, _)",
        "A0607",
        "move(row(Tokens, Player), _, _)",
        "terminal/1 holds",
    ),
    (
        "[max-1, max-2, min-9, min-10]",
        "[1-max, 2-max, 9-min, 10-min]",
        "A0607",
        "initial(row(max, [1-max, 2-max, 9-min, 10-min]))",
        "this makes the first position",
    ),
    // The place is the clause that gave the answer, not the first clause of its predicate.
    (
        "outcome(row(Player, _), win(Other))",
        "outcome(row(Player, _), won(Other))",
        "A0606",
        "outcome(row(Player, _), won(Other))",
        "outcome/2 gives won(",
    ),
    // The goal that stops a predicate without an answer.
    (
        "    sum(max, Tokens, A),",
        "    far(max, Tokens, 0),\n    sum(max, Tokens, A),",
        "A0606",
        "far(max, Tokens, 0)",
        "this goal fails",
    ),
    // Errors in helper predicates: the diagnostic names the callers, and the move that led to the position.
    (
        "put(Player, To, Rest, Next).\nmove",
        "put(Player, Rest, To, Next).\nmove",
        "A0603",
        "put(Player, Rest, To, Next)",
        "called from a clause of move/3",
    ),
    (
        "off(From), row(Other, Rest)",
        "off(From), row(Rest, Other)",
        "A0603",
        "move(row(Player, Tokens), off(From), row(Rest, Other))",
        "this makes the move to this position",
    ),
    // Images of positions under symmetries.
    (
        "row(P, Ts), row(P, Sorted)",
        "row(P, Ts), row(P, [Sorted])",
        "",
        "canonical(row(P, Ts), row(P, [Sorted]))",
        "canonical/2",
    ),
];

fn problems(name: &str, text: &str) -> (Option<i32>, Vec<Value>) {
    let (status, found) = json(&["check", &file(name, text), "--playouts", "60", "--deny-warnings"]);
    (status, found["files"][0]["problems"].as_array().cloned().unwrap_or_default())
}

#[test]
fn mistakes_that_only_play_shows_are_told_at_their_place() {
    let mut bad = Vec::new();
    for (number, (old, new, code, marked, words)) in MISTAKES.iter().enumerate() {
        assert_eq!(ROW.matches(old).count(), 1, "{old}");
        let text = ROW.replace(old, new);
        let start = text.find(marked).unwrap_or_else(|| panic!("{marked} stands in the text"));
        let (status, found) = problems(&format!("row{number}.pl"), &text);
        let told = found.iter().any(|problem| {
            let places = problem["places"].as_array().cloned().unwrap_or_default();
            let here = places.iter().any(|place| place["start"].as_u64() == Some(start as u64));
            here && (code.is_empty() || problem["code"] == **code) && problem.to_string().contains(words)
        });
        let notes = matches!(*code, "A0627" | "A0628");
        if !told || notes != (status == Some(0)) {
            bad.push(format!("{new}: wanted {code} at {marked}, status {status:?}: {found:#?}"));
        }
    }
    assert!(bad.is_empty(), "{} mistakes are told wrongly:\n{}", bad.len(), bad.join("\n"));
}

/// Notes are shown and counted, but do not change the exit status.
#[test]
fn a_right_game_is_quiet_and_notes_fail_nothing() {
    let (status, found) = problems("row.pl", ROW);
    assert_eq!((status, found.len()), (Some(0), 0), "{found:#?}");
    let rare = ROW.replace("home(max, 10).", "home(max, 10).\nhome(max, 11).\n");
    let ran = run(&["check", &file("rare.pl", &rare), "--playouts", "60", "--deny-warnings"]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.out.ends_with("rare.pl: no problems, 1 note\n"), "{}", ran.out);
    assert!(ran.err.contains("the head of a clause never matched"), "{}", ran.err);
}

/// A card game in which both lists of a seat contain cards.
const SEATS: &str = "\
initial(state(max, Seats)) :-
    maplist(take_seat, [max, min], Seats).
take_seat(Player, seat(Player, Hand, [])) :-
    deal(Player, Hand).
deal(max, [7, 4]).
deal(min, [5, 3]).
max_to_move(state(max, _)).
move(state(Turn, Seats), play(Card), state(Next, NewSeats)) :-
    other(Turn, Next),
    select(seat(Turn, Hand, Won), Seats, seat(Turn, Rest, [Card|Won]), NewSeats),
    select(Card, Hand, Rest),
    small(Card).
small(Card) :-
    Card < 9.
terminal(state(_, Seats)) :-
    maplist(empty_hand, Seats).
empty_hand(seat(_, [], _)).
other(max, min).
other(min, max).
outcome(_, draw).
seat_line(seat(Player, Hand, Won), Line) :-
    atomic_list_concat([Player|Hand], ' ', Start),
    atomic_list_concat([Start|Won], ' ', Line).
show(state(_, Seats), Lines) :-
    maplist(seat_line, Seats, Lines).
";

/// Asserts that a mistake in `SEATS` gives a code with a label at a place.
fn told_in_seats(name: &str, (old, new): (&str, &str), (code, marked, label): (&str, &str, &str)) {
    assert_eq!(SEATS.matches(old).count(), 1, "{old}");
    let text = SEATS.replace(old, new);
    let start = text.find(marked).unwrap_or_else(|| panic!("{marked} stands in the text"));
    let (_, found) = problems(name, &text);
    let told = found.iter().filter(|problem| problem["code"] == code).any(|problem| {
        let places = problem["places"].as_array().cloned().unwrap_or_default();
        places.iter().any(|place| place["start"].as_u64() == Some(start as u64) && place.to_string().contains(label))
    });
    assert!(told, "{found:#?}");
}

/// Regression test: only the caller was marked, and not the term with exchanged lists.
#[test]
fn a_term_of_the_first_position_with_exchanged_lists_is_marked() {
    told_in_seats(
        "seats_exchanged.pl",
        ("seat(Player, Hand, [])", "seat(Player, [], Hand)"),
        ("A0607", "seat(Player, [], Hand)", "Hand is another argument"),
    );
}

/// Regression test: all callers were marked, and not the goal that leaves the variable unbound.
#[test]
fn the_goal_that_leaves_a_variable_unbound_is_marked() {
    told_in_seats(
        "seats_unbound.pl",
        ("select(Card, Hand, Rest)", "select(Card, Rest, Hand)"),
        ("A0603", "select(Card, Rest, Hand)", "Card has no value after this goal"),
    );
}
