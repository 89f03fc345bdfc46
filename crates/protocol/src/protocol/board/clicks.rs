//! The squares that a person clicks for a move, in the order of clicking.
//!
//! `draw/2` may say them. Otherwise the label names them, if the picture names its squares, as in `a2-a3`,
//! `e7e8q` or `drop(4)`. For labels without squares the boards before and after the move are compared.

use super::{Board, board};
use crate::protocol::term::term;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_session::session::{Session, SessionResult};

/// The most moves of a position whose boards are compared.
const MOST_COMPARED: usize = 400;

/// The squares of each of these moves, with the labels given.
///
/// # Errors
///
/// The rules raise an error.
pub fn moves(
    session: &Session,
    game: &RuleGame,
    here: &Board,
    legal: &[(RuleMove, String)],
) -> SessionResult<Vec<Vec<String>>> {
    if here.squares.is_empty() {
        return Ok(vec![Vec::new(); legal.len()]);
    }
    let mut names: Vec<&str> = here.squares.iter().map(|square| square.name.as_str()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let one = |(mv, label): &(RuleMove, String)| {
        if let Some(squares) = said(here, mv, session) {
            return Ok(squares);
        }
        let named = if here.named { named_squares(label, &names) } else { Vec::new() };
        match named.is_empty() && legal.len() <= MOST_COMPARED {
            true => Ok(changed_squares(here, &board(session, game, &mv.next)?)),
            false => Ok(named),
        }
    };
    legal.iter().map(one).collect()
}

/// The squares that `draw/2` gives for a move.
fn said(here: &Board, mv: &RuleMove, session: &Session) -> Option<Vec<String>> {
    if here.clicks.is_empty() {
        return None;
    }
    let label = term(mv.label(), || session.term(&Position(mv.label().clone())));
    here.clicks.iter().find(|(other, _)| *other == label).map(|(_, squares)| squares.clone())
}

/// The names in a label, from the left. `names` are sorted, the longest first.
fn named_squares(label: &str, names: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut at, mut last_end) = (0, None);
    while let Some(c) = label[at..].chars().next() {
        let before = label[..at].chars().next_back();
        let fits = |name: &&&str| {
            let Some(rest) = label[at..].strip_prefix(**name) else { return false };
            let (Some(first), Some(last)) = (name.chars().next(), name.chars().next_back()) else { return false };
            let joins = |other: Option<char>, own: char| match own {
                own if own.is_ascii_digit() => other.is_some_and(|other| other.is_ascii_digit()),
                _ => other.is_some_and(char::is_alphanumeric),
            };
            // In e2e4 one name follows the other.
            (!joins(before, first) || last_end == Some(at)) && !joins(rest.chars().next(), last)
        };
        match names.iter().find(fits) {
            Some(name) => {
                at += name.len();
                last_end = Some(at);
                if found.last().is_none_or(|last| last != name) {
                    found.push((*name).to_string());
                }
            }
            None => at += c.len_utf8(),
        }
    }
    found
}

/// The squares that a move changes, in the order of clicking: where a piece leaves, then where it arrives.
fn changed_squares(before: &Board, after: &Board) -> Vec<String> {
    let is_same_board = before.squares.len() == after.squares.len()
        && before.squares.iter().all(|square| after.square(&square.name).is_some());
    if !is_same_board {
        return Vec::new();
    }
    let (mut left, mut filled, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for name in before.squares.iter().map(|square| &square.name) {
        let (old, new) = (before.on(name), after.on(name));
        match () {
            () if old == new => {}
            () if new.is_empty() => left.push((name, old)),
            () if old.is_empty() => filled.push((name, new)),
            () => other.push((name, new)),
        }
    }
    let names = |of: &[(&String, String)]| of.iter().map(|(name, _)| (*name).clone()).collect::<Vec<_>>();
    if !left.is_empty() && filled.len() + other.len() > 0 {
        let arrived: Vec<&(&String, String)> = filled.iter().chain(&other).collect();
        let pair = left.iter().find_map(|(from, piece)| {
            arrived.iter().find(|(_, new)| new == piece).map(|(to, _)| vec![(*from).clone(), (*to).clone()])
        });
        return pair.unwrap_or_else(|| vec![left[0].0.clone(), arrived[0].0.clone()]);
    }
    if !left.is_empty() {
        return names(&left);
    }
    if !filled.is_empty() {
        return names(&filled);
    }
    // In sowing games one number becomes smaller.
    let number = |board: &Board, name: &str| {
        let piece = board.pieces.iter().find(|piece| piece.square.as_deref() == Some(name))?;
        piece.text.parse::<i64>().ok().map(|number| number.saturating_mul(piece.count as i64))
    };
    let shrinks = |name: &String| number(after, name) < number(before, name);
    match other.iter().find(|(name, _)| shrinks(name)) {
        Some((name, _)) => vec![(*name).clone()],
        None => names(&other),
    }
}

#[cfg(test)]
mod tests {
    use super::{changed_squares, named_squares};
    use crate::protocol::board::{Board, picture};

    #[test]
    fn labels_name_squares() {
        let mut names: Vec<String> =
            (1..=8).flat_map(|row| "abcdefgh".chars().map(move |c| format!("{c}{row}"))).collect();
        names.extend(["j10".to_string(), "j1".to_string()]);
        let told = |label: &str| {
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            names.sort_by_key(|name| std::cmp::Reverse(name.len()));
            named_squares(label, &names).join(" ")
        };
        for (label, squares) in [
            ("d3", "d3"),
            ("a2-a3", "a2 a3"),
            ("e7e8q", "e7 e8"),
            ("move(b1,c3)", "b1 c3"),
            ("j10", "j10"),
            ("a11", ""),
            ("pass", ""),
            ("drop(4)", ""),
        ] {
            assert_eq!(told(label), squares, "{label}");
        }
        assert_eq!(named_squares("22x15x8", &["22", "15", "8", "2", "5"]), ["22", "15", "8"]);
        assert_eq!(named_squares("take(3,12)", &["1", "2", "3"]), ["3"]);
    }

    #[test]
    fn boards_before_and_after_a_move_are_compared() {
        let of = |text: &str| -> Board {
            picture::board(&text.lines().map(str::to_string).collect::<Vec<_>>()).expect("it is a board")
        };
        let told = |before: &str, after: &str| changed_squares(&of(before), &of(after)).join(" ");
        assert_eq!(told(". .\n. .", ". x\n. ."), "b2");
        assert_eq!(told("x .\no .", ". .\no x"), "a2 b1");
        // A piece jumps over another one.
        assert_eq!(told("x o .\n. . .", ". . x\n. . ."), "a2 c2");
        assert_eq!(told("x o .\n. . .", "x x x\n. . ."), "c2");
    }
}
