//! Tests the explanations why a move is not legal: the reason must concern the move in question.
//!
//! The games make labels after they choose squares, walls and pieces, so no choice has the label of an
//! illegal move. The explanation must mark the goal that forbids this very move. Regression test: the reason
//! was that some other move has another name.

use super::command::ran;

/// The marked text, and the whole message about the smallest part.
fn told(args: &[&str]) -> String {
    let (status, out, err) = ran(&[&["whynot"], args].concat());
    assert!(status == Some(0) && err.is_empty(), "{args:?}: {out}{err}");
    let (_, told) = out.split_once('\u{261e}').or_else(|| out.split_once("-> ")).unwrap_or(("", &out));
    told.to_string()
}

/// Asserts that each explanation concerns the named move.
fn check(file: &str, cases: &[(&str, &str, &str)]) {
    for (position, label, reason) in cases {
        let place: &[&str] = match position.contains('(') {
            _ if position.is_empty() => &[],
            true if position.starts_with('q') => &["--position", position],
            _ => &["--moves", position],
        };
        let told = told(&[&[file], place, &[label]].concat());
        let flat = told.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ");
        assert!(flat.contains(reason), "{file} {position} {label}: expected {reason}\n{told}");
    }
}

/// The label is made last, from the choices of a generator. Regression test: a wall on another wall was
/// explained as an illegal step of a pawn.
#[test]
fn a_wall_on_a_wall_was_told_to_be_no_step() {
    let here = "q(max,c-1,2,[wall(h,b,2)])";
    check(
        "tests/right/walls_and_steps.pl",
        &[
            (here, "b2h", "clash(wall(h,b,2),[wall(h,b,2)]) is true"),
            (here, "b2v", "clash(wall(v,b,2),[wall(h,b,2)]) is true"),
            ("q(max,c-1,0,[])", "b2h", "0 > 0 is false"),
            ("q(max,c-1,2,[wall(h,c,1)])", "c2", "\\+blocked(c,1,[wall(h,c,1)]) fails"),
        ],
    );
}

/// Regression test: the reason was that the only legal move has another name. That move takes another branch
/// of an if-then-else.
#[test]
fn the_only_other_move_is_no_reason() {
    check(
        "tests/right/one_way_out.pl",
        &[("", "to(1/2)", "fence(1/1,1/2) is true"), ("", "to(0/1)", "between(1,3,0)")],
    );
}

/// `shown_move/3` reads and writes the labels. Regression test: the explanation for an occupied cell was that
/// another move has another name.
#[test]
fn an_occupied_cell_behind_shown_move_was_told_to_have_another_name() {
    let here = "q(max,red,[blue,e,e],[green])";
    check(
        "tests/right/placed_and_given.pl",
        &[
            (here, "a/green", "nth1(1,[blue,e,e],e) fails"),
            (here, "b/red", "select(Given, Pieces, Rest)"),
            ("q(max,none,[e,e,e],[red,green])", "blue", "select(blue,[red,green],"),
        ],
    );
}

/// `shown_move/3` may accept any text, but goals and labels keep their meaning.
#[test]
fn goals_and_labels_were_taken_for_the_text_of_a_move() {
    check(
        "tests/right/any_word_is_a_move.pl",
        &[
            ("", "step(max,M)", "step(max,M) fails"),
            ("", "go(max)", "step(max,K) fails"),
            ("", "max", "step(max,K) fails"),
        ],
    );
}

#[test]
fn illegal_moves_of_games_are_told_by_what_forbids_them() {
    check("games/dots_and_boxes.pl", &[("a1-b1", "a1-b1", "1 =:= 0 is false")]);
    check("games/hex.pl", &[("a1", "a1", "0 =\\= 0 is false")]);
    check("games/kalah.pl", &[("3", "3", "0 > 0 is false")]);
    check("games/hexapawn.pl", &[("a1-a2", "a3-a2", "its last argument is x, not e")]);
    check("games/othello.pl", &[("", "a1", "flips(")]);
    check("games/nim.pl", &[("take(1,3)", "take(1,2)", "nth1(1,[0,4,5],")]);
    check("games/connect_four.pl", &[("", "9", "9 is not between 1 and 7")]);
    check("games/chess.pl", &[("e2e4 e7e5", "e4e5", "both are e")]);
}
