//! The semantic tokens of a file: each token with its meaning, so that an editor colours it.
//!
//! The numbers of the last answer are kept, so that the next answer can be what differs.

use alphorn_ide::ide::analysis::TextAnalysis;
use alphorn_ide::ide::highlight::{KeptClasses, TokenClass};
use alphorn_ide::ide::text::{Document, Encoding, Point};
use serde_json::{Value, json};
use std::ops::Range;

/// The token types of the protocol, in the order of their numbers.
pub(super) const TOKEN_TYPES: &[&str] = &[
    "comment",
    "variable",
    "number",
    "string",
    "function",
    "method",
    "interface",
    "property",
    "keyword",
    "operator",
    "struct",
    "enumMember",
];

/// The token modifiers of the protocol, in the order of their bits.
pub(super) const TOKEN_MODIFIERS: &[&str] = &["declaration", "defaultLibrary"];

fn token_type(class: TokenClass) -> (u32, u32) {
    match class {
        TokenClass::Comment => (0, 0),
        TokenClass::Variable => (1, 0),
        TokenClass::Number => (2, 0),
        TokenClass::Text => (3, 0),
        TokenClass::Definition => (4, 1),
        TokenClass::Call => (4, 0),
        TokenClass::Library => (5, 2),
        TokenClass::GamePredicate => (6, 1),
        TokenClass::Param => (7, 0),
        TokenClass::Keyword => (8, 0),
        TokenClass::Operator => (9, 0),
        TokenClass::Functor => (10, 0),
        TokenClass::Atom => (11, 0),
    }
}

/// The numbers of a token.
const NUMBERS: usize = 5;

/// What is kept of the last answers about a file.
#[derive(Default)]
pub struct DocumentColours {
    kept: KeptClasses,
    /// The numbers of the last answer about the whole file, and the number of this answer.
    last: (u64, Vec<u32>),
}

impl DocumentColours {
    /// The semantic tokens of some bytes, as numbers.
    pub(super) fn numbers(
        &mut self,
        analysis: &TextAnalysis,
        document: &Document,
        encoding: Encoding,
        wanted: Range<usize>,
    ) -> Vec<u32> {
        encoded(document, encoding, &self.kept.tokens(analysis, wanted))
    }

    /// The answer that gives the numbers of the whole file: all, or what differs from the answer with the number
    /// `previous`.
    pub(super) fn answer(&mut self, data: Vec<u32>, previous: Option<&str>) -> Value {
        let (number, last) = &mut self.last;
        let edits = (previous == Some(number.to_string().as_str())).then(|| difference(last, &data));
        *number += 1;
        let id = number.to_string();
        let answer = match edits {
            Some(edits) => json!({ "resultId": id, "edits": edits }),
            None => json!({ "resultId": id, "data": data }),
        };
        *last = data;
        answer
    }
}

/// Tokens as the protocol writes them: five numbers each, of which two are relative to the token before. A token
/// of several lines becomes one token for each line.
fn encoded(document: &Document, encoding: Encoding, tokens: &[(Range<usize>, TokenClass)]) -> Vec<u32> {
    let text = document.text();
    let mut points = document.points(encoding);
    let mut data: Vec<u32> = Vec::with_capacity(tokens.len() * NUMBERS);
    let mut last = Point { line: 0, column: 0 };
    for (bytes, class) in tokens {
        let (kind, modifiers) = token_type(*class);
        let mut start = bytes.start;
        for line in text.get(bytes.clone()).unwrap_or("").split_inclusive('\n') {
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            let (from, to) = (points.point(start), points.point(end));
            start += line.len();
            if from == to {
                continue;
            }
            let down = from.line - last.line;
            let right = if down == 0 { from.column - last.column } else { from.column };
            data.extend([down, right, to.column.saturating_sub(from.column), kind, modifiers]);
            last = from;
        }
    }
    data
}

/// The changes that make the second numbers of the first, as the protocol writes them: none, or one.
fn difference(before: &[u32], after: &[u32]) -> Value {
    if before == after {
        return json!([]);
    }
    let same = before.chunks(NUMBERS).zip(after.chunks(NUMBERS)).take_while(|(one, other)| one == other).count();
    let start = same * NUMBERS;
    let ends = before[start..].rchunks(NUMBERS).zip(after[start..].rchunks(NUMBERS));
    let end = ends.take_while(|(one, other)| one == other).count() * NUMBERS;
    json!([{
        "start": start,
        "deleteCount": before.len() - end - start,
        "data": after[start..after.len() - end],
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_makes_the_new_numbers() {
        let token = |n: u32| [n, 0, 1, 0, 0];
        let all = |numbers: &[u32]| numbers.iter().flat_map(|n| token(*n)).collect::<Vec<u32>>();
        for (before, after) in [
            (&[1, 2, 3][..], &[1, 2, 3][..]),
            (&[1, 2, 3], &[1, 9, 3]),
            (&[1, 1, 1], &[1, 1]),
            (&[1], &[1, 1, 1]),
            (&[], &[4]),
            (&[4, 5], &[]),
        ] {
            let (mut text, new) = (all(before), all(after));
            for edit in difference(&text, &new).as_array().cloned().unwrap_or_default() {
                let number = |value: &Value| value.as_u64().expect("a number of the protocol");
                let at = |name: &str| number(&edit[name]) as usize;
                let data = edit["data"].as_array().expect("the numbers of an edit");
                let data: Vec<u32> = data.iter().map(|one| number(one) as u32).collect();
                text.splice(at("start")..at("start") + at("deleteCount"), data);
            }
            assert_eq!(text, new);
        }
    }
}
