//! The squares that a person clicks for a move, in the order of clicking.
//!
//! `draw/2` may say them. Otherwise the label names them, if the picture names its squares, as in `a2-a3`,
//! `e7e8q` or `drop(4)`. For labels without squares the boards before and after the move are compared.

use super::{Board, BoardPiece, BoardReader};
use crate::protocol::term::term;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_session::session::{Session, SessionResult};
use std::collections::HashMap;

/// The most moves of a position whose boards are compared, and the most squares of all these boards together.
const MOST_COMPARED: usize = 400;
const MOST_COMPARED_SQUARES: usize = 400_000;

/// The longest label in which squares are found.
const LONGEST_LABEL: usize = 400;

impl BoardReader<'_> {
    /// The squares of each of these moves from the position of a board, with the labels given.
    ///
    /// # Errors
    ///
    /// The rules raise an error.
    pub fn squares(&self, here: &Board, legal: &[(RuleMove, String)]) -> SessionResult<Vec<Vec<String>>> {
        if here.squares.is_empty() {
            return Ok(vec![Vec::new(); legal.len()]);
        }
        let mut names: Vec<&str> = here.squares.iter().map(|square| square.name.as_str()).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let is_compared = legal.len() <= MOST_COMPARED && legal.len() * here.squares.len() <= MOST_COMPARED_SQUARES;
        let one = |(mv, label): &(RuleMove, String)| {
            if let Some(squares) = said(here, mv, self.session) {
                return Ok(squares);
            }
            let is_short = label.len() <= LONGEST_LABEL;
            let named = if here.named && is_short { named_squares(label, &names) } else { Vec::new() };
            match named.is_empty() && is_compared {
                true => Ok(changed_squares(here, &self.board(&mv.next)?)),
                false => Ok(named),
            }
        };
        legal.iter().map(one).collect()
    }
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
        // In 6/4(2) the piece on 6 moves to 4, twice.
        if c == '(' && last_end == Some(at) && !found.is_empty() {
            at += label[at..].find(')').map_or(c.len_utf8(), |end| end + 1);
            continue;
        }
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
///
/// A square may be missing after the move, as when a heap is drawn with one square for each object.
pub(super) fn changed_squares(before: &Board, after: &Board) -> Vec<String> {
    let (there, then) = (before.contents(), after.contents());
    if before.height != after.height || then.keys().any(|name| !there.contains_key(name)) {
        return Vec::new();
    }
    if before.counts && after.counts {
        return sown(before, after);
    }
    let (mut left, mut filled, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for name in before.squares.iter().map(|square| &square.name) {
        let (old, new) = (&there[name.as_str()], then.get(name.as_str()).map_or("", String::as_str));
        match () {
            () if old == new && then.contains_key(name.as_str()) => {}
            () if new.is_empty() => left.push((name, old.clone())),
            () if old.is_empty() => filled.push((name, new.to_string())),
            () => other.push((name, new.to_string())),
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
    [left, filled, other].iter().find(|squares| !squares.is_empty()).map(|squares| names(squares)).unwrap_or_default()
}

/// The pit that a move empties, on a board of numbers. Seeds that are captured also leave their pits, so the pit
/// whose seeds went to as many other pits comes first.
fn sown(before: &Board, after: &Board) -> Vec<String> {
    let numbers = |board: &Board| -> HashMap<String, u64> {
        let on = |piece: &BoardPiece| Some((piece.square.clone()?, piece.text.parse().ok()?));
        board.pieces.iter().filter_map(on).collect()
    };
    let (there, then) = (numbers(before), numbers(after));
    let of = |numbers: &HashMap<String, u64>, name: &str| numbers.get(name).copied().unwrap_or(0);
    let pits = before.squares.iter().map(|square| (&square.name, of(&there, &square.name), of(&then, &square.name)));
    let (shrunk, rest): (Vec<_>, Vec<_>) = pits.partition(|(_, old, new)| new < old);
    let grown = rest.iter().filter(|(_, old, new)| new > old).count() as u64;
    let is_sown = |(_, old, new): &&(&String, u64, u64)| *new == 0 && *old == grown;
    let is_emptied = |(_, _, new): &&(&String, u64, u64)| *new == 0;
    let pit = shrunk.iter().find(is_sown).or_else(|| shrunk.iter().find(is_emptied)).or_else(|| shrunk.first());
    pit.map(|(name, ..)| vec![(*name).clone()]).unwrap_or_default()
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
        assert_eq!(named_squares("8/6 6/4(2)", &["8", "6", "4", "2"]), ["8", "6", "4"]);
        assert_eq!(named_squares("take(3,12)", &["1", "2", "3"]), ["3"]);
    }

    #[test]
    fn boards_before_and_after_a_move_are_compared() {
        let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
        let told = |before: &str, after: &str| {
            let both = [lines(before), lines(after)];
            let of = |at: usize| -> Board { picture::board(&both[at], &|| &both).expect("it is a board") };
            changed_squares(&of(0), &of(1)).join(" ")
        };
        assert_eq!(told(". .\n. .", ". x\n. ."), "b2");
        assert_eq!(told("x .\no .", ". .\no x"), "a2 b1");
        // A piece jumps over another one.
        assert_eq!(told("x o .\n. . .", ". . x\n. . ."), "a2 c2");
        assert_eq!(told("x o .\n. . .", "x x x\n. . ."), "c2");
        // Seeds are sown, and one is captured.
        assert_eq!(told("3 3 3\n4 4 4", "3 3 3\n0 5 5"), "a1");
        assert_eq!(told("2 0 0\n4 1 2", "2 1 1\n4 1 0"), "c1");
        assert_eq!(told("2 0 3\n4 1 2", "0 1 0\n5 1 2"), "a2");
        // Objects are taken from a heap.
        assert_eq!(told("1: | | |\n2: | |", "1: | |\n2: | |"), "c1");
    }
}
