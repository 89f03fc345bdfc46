//! Playing cards among the pieces of `draw/2`: `card(q, spades)`, `card(7, hearts)`, `card(3)`, and `back` for a card
//! that lies face down.

use super::values::{text, tone};
use super::{BoardPiece, CardFace, PieceShape};
use serde_json::Value;

/// The four suits with the names that rules may use.
const SUITS: &[(&str, &[&str])] = &[
    ("spades", &["spades", "spade", "s", "♠"]),
    ("hearts", &["hearts", "heart", "h", "♥"]),
    ("diamonds", &["diamonds", "diamond", "d", "♦"]),
    ("clubs", &["clubs", "club", "c", "♣"]),
];

/// The ranks that a card shows by a letter or a number, with the names that rules may use.
const RANKS: &[(&str, &[&str])] = &[
    ("A", &["a", "ace"]),
    ("K", &["k", "king"]),
    ("Q", &["q", "queen"]),
    ("J", &["j", "jack"]),
    ("10", &["t", "ten"]),
];

/// The card of `card(Rank)`, `card(Rank, Suit)` or `card(Rank, Suit, Text)`. A suit that is a tone, such as `one`,
/// gives the card its colour.
pub(super) fn card(args: &[Value]) -> Option<BoardPiece> {
    let (rank, suit, called) = match args {
        [rank] => (rank, None, None),
        [rank, suit] => (rank, Some(suit), None),
        [rank, suit, called] => (rank, Some(suit), Some(text(called)?)),
        _ => return None,
    };
    let rank = known(RANKS, text(rank)?);
    let color = suit.and_then(tone);
    let suit = match suit {
        Some(suit) => Some(known(SUITS, text(suit)?)),
        None => None,
    };
    let called = called.unwrap_or_else(|| match &suit {
        Some(suit) => format!("{rank} of {suit}"),
        None => rank.clone(),
    });
    Some(BoardPiece { tone: color, card: Some(CardFace { rank, suit }), ..back_called(called) })
}

/// A card that lies face down.
pub(super) fn back() -> BoardPiece {
    back_called("a card face down".to_string())
}

fn back_called(text: String) -> BoardPiece {
    BoardPiece { square: None, x: None, y: None, text, shape: PieceShape::Card, tone: None, count: 1, card: None }
}

/// The usual form of a name, or the name itself.
fn known(forms: &[(&str, &[&str])], name: String) -> String {
    let lower = name.to_lowercase();
    forms.iter().find(|(_, names)| names.contains(&&*lower)).map_or(name, |(form, _)| (*form).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn terms_become_cards() {
        let read = |args: Value| {
            let piece = card(args.as_array().expect("it is a list"))?;
            let face = piece.card.expect("it lies face up");
            Some(format!("{}|{}|{}", face.rank, face.suit.unwrap_or_default(), piece.text))
        };
        assert_eq!(read(json!(["q", "spades"])).as_deref(), Some("Q|spades|Q of spades"));
        assert_eq!(read(json!([10, "h"])).as_deref(), Some("10|hearts|10 of hearts"));
        assert_eq!(read(json!(["t", "♦"])).as_deref(), Some("10|diamonds|10 of diamonds"));
        assert_eq!(read(json!([3])).as_deref(), Some("3||3"));
        assert_eq!(read(json!(["under", "acorns"])).as_deref(), Some("under|acorns|under of acorns"));
        assert_eq!(read(json!([7, "one", "red seven"])).as_deref(), Some("7|one|red seven"));
        assert_eq!(read(json!([])), None);
        assert_eq!(read(json!([1, [2]])), None);
        assert_eq!(back().card, None);
    }
}
