//! What the outcomes of a chance move show: dice, or the text in which their pictures differ.
//!
//! The boards after the outcomes are compared with each other. If they differ in numbers alone, from 1 up without a
//! gap, the numbers are dice.

use super::{Board, BoardReader, clicks};
use alphorn_rules::rules::position::Position;
use alphorn_session::session::SessionResult;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// The most outcomes whose boards are compared.
const MOST_OUTCOMES: usize = 400;

/// The longest text of an outcome, in characters, and the most squares that it names.
const LONGEST_TEXT: usize = 60;
const MOST_SQUARES: usize = 3;

/// The sides of a die.
const SIDES: std::ops::RangeInclusive<usize> = 3..=20;

/// What a chance outcome shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ShownOutcome {
    /// The dice; empty if the outcome shows none.
    pub dice: Vec<i64>,
    /// The text in which this outcome differs from the others, beside the dice; empty if there is none.
    pub text: String,
}

impl BoardReader<'_> {
    /// What each of the outcomes of a chance move shows. `here` is the board before the move.
    ///
    /// # Errors
    ///
    /// The rules raise an error.
    pub fn outcomes(&self, here: &Board, after: &[&Position]) -> SessionResult<Vec<ShownOutcome>> {
        if after.len() > MOST_OUTCOMES {
            return Ok(vec![ShownOutcome::default(); after.len()]);
        }
        let boards = after.iter().map(|state| self.board(state)).collect::<SessionResult<Vec<Board>>>()?;
        Ok(shown(here, &boards))
    }
}

fn shown(here: &Board, boards: &[Board]) -> Vec<ShownOutcome> {
    if boards.iter().all(|board| !board.dice.is_empty()) {
        return boards.iter().map(|board| ShownOutcome { dice: board.dice.clone(), text: String::new() }).collect();
    }
    let texts: Vec<String> = {
        let lines: Vec<&[String]> = boards.iter().map(|board| &board.text[..]).collect();
        lines.iter().map(|own| own_lines(own, &lines)).collect()
    };
    if let Some(dice) = dice(&texts) {
        return dice;
    }
    let one = |(at, text): (usize, &String)| {
        let text = if text.is_empty() { changes(here, &boards[at]) } else { text.clone() };
        ShownOutcome { dice: Vec::new(), text: text.chars().take(LONGEST_TEXT).collect() }
    };
    texts.iter().enumerate().map(one).collect()
}

/// The lines of a picture that another picture does not have in the same place.
fn own_lines(own: &[String], all: &[&[String]]) -> String {
    let differs = |at: usize| all.iter().any(|lines| lines.get(at) != own.get(at));
    let lines: Vec<&str> = own.iter().enumerate().filter(|(at, _)| differs(*at)).map(|(_, line)| line.trim()).collect();
    lines.join(" · ")
}

/// The dice of each text: the numbers in which the texts differ, and the other words in which they differ.
fn dice(texts: &[String]) -> Option<Vec<ShownOutcome>> {
    let words = |text: &'_ String| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        parts.map(str::to_string).collect()
    };
    let all: Vec<Vec<String>> = texts.iter().map(words).collect();
    let first = all.first()?;
    if all.iter().any(|words| words.len() != first.len()) {
        return None;
    }
    let differs = |at: &usize| all.iter().any(|words| words[*at] != first[*at]);
    let number = |words: &Vec<String>, at: usize| words[at].parse::<i64>().ok();
    let is_number = |at: &usize| all.iter().all(|words| number(words, *at).is_some());
    let (numbers, others): (Vec<usize>, Vec<usize>) = (0..first.len()).filter(differs).partition(is_number);
    let one = |words: &Vec<String>| ShownOutcome {
        dice: numbers.iter().filter_map(|at| number(words, *at)).collect(),
        text: others.iter().map(|at| words[*at].as_str()).collect::<Vec<_>>().join(" "),
    };
    let shown: Vec<ShownOutcome> = all.iter().map(one).collect();
    let values: BTreeSet<i64> = shown.iter().flat_map(|outcome| &outcome.dice).copied().collect();
    let sides = values.len();
    (SIDES.contains(&sides) && values.into_iter().eq(1..=sides as i64)).then_some(shown)
}

/// The squares that an outcome changes, with what stands there then.
fn changes(here: &Board, after: &Board) -> String {
    let squares = clicks::changed_squares(here, after);
    if squares.is_empty() || squares.len() > MOST_SQUARES {
        return String::new();
    }
    let piece = |name: &String| after.pieces.iter().find(|piece| piece.square.as_ref() == Some(name));
    let one = |name: &String| match piece(name) {
        Some(piece) => format!("{} on {name}", piece.text),
        None => name.clone(),
    };
    squares.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::board::picture;

    fn told(before: &str, after: &[&str]) -> Vec<String> {
        let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
        let of = |text: &str| {
            let lines = lines(text);
            picture::board(&lines, &|| &[]).unwrap_or_else(|| Board { text: lines.clone(), ..Board::default() })
        };
        let boards: Vec<Board> = after.iter().map(|text| of(text)).collect();
        let show = |shown: ShownOutcome| match shown.dice.is_empty() {
            true => shown.text,
            false => format!("{:?} {}", shown.dice, shown.text).trim().to_string(),
        };
        shown(&of(before), &boards).into_iter().map(show).collect()
    }

    #[test]
    fn outcomes_show_dice_texts_or_squares() {
        assert_eq!(
            told("White to roll", &["White to play 1-1", "White to play 2-1", "White to play 3-2"]),
            ["[1, 1]", "[2, 1]", "[3, 2]"]
        );
        assert_eq!(told("x", &["die: 1", "die: 2", "die: 3", "die: 4"]), ["[1]", "[2]", "[3]", "[4]"]);
        assert_eq!(
            told("x", &["White to play 1-2", "White to play 1-3", "Black to play 2-1", "Black to play 3-1"]),
            ["[1, 2] White", "[1, 3] White", "[2, 1] Black", "[3, 1] Black"]
        );
        // A coin is no die, and neither is a score.
        assert_eq!(told("x", &["score 1", "score 2"]), ["score 1", "score 2"]);
        assert_eq!(told("x", &["turn 4", "turn 5", "turn 6"]), ["turn 4", "turn 5", "turn 6"]);
        let texts = ["a\nmax loses all", "a\nmax goes on, 4"];
        assert_eq!(told("x", &texts), ["max loses all", "max goes on, 4"]);
        assert_eq!(told("x . x\n. . x", &["x x x\n. . x", "x . x\nx . x"]), ["x on b2", "x on a1"]);
        assert_eq!(told("x", &["x", "x"]), ["", ""]);
    }
}
