//! Which piece a text of a cell stands for: nothing, a disc, a chess piece, or a text.
//!
//! The texts of the whole board decide together. A text has the same shape and colour in all positions of a
//! game, as far as the board can show that.

use super::{BoardPiece, PieceShape, Tone};

/// Texts of empty cells.
const EMPTY: &[&str] = &["", ".", "_", "-", "·", "•", "+", ",", "'", "□", "▢", "⬜", "░"];

/// Atoms that positions use for empty cells.
pub(super) const EMPTY_NAMES: &[&str] =
    &["e", "empty", "none", "nil", "free", "blank", "vacant", "null", "void", "0", ".", "_", "-", " ", "[]", "?"];

/// The letters of chess pieces.
const CHESS: &[(char, PieceShape)] = &[
    ('k', PieceShape::King),
    ('q', PieceShape::Queen),
    ('r', PieceShape::Rook),
    ('b', PieceShape::Bishop),
    ('n', PieceShape::Knight),
    ('p', PieceShape::Pawn),
];

/// A board of more cells in a row has discs rather than crosses and rings.
const SMALL: usize = 4;

/// The texts that are dark discs, and those that are light ones.
const DARK: &[&str] = &["x", "b", "black", "dark", "●", "⚫", "х"];
const LIGHT: &[&str] = &["o", "w", "white", "light", "○", "⚪", "о"];

/// What the texts of a board have in common.
#[derive(Clone, Debug)]
pub(super) struct PieceSet {
    chess: bool,
    /// Whether 1 and 2, or 1 and -1, are the pieces of the players.
    players: bool,
    small: bool,
    /// Whether 0 is an empty cell.
    zero_is_empty: bool,
    /// A further text for an empty cell.
    empty: Option<String>,
}

impl PieceSet {
    /// The set of the texts on a board with this number of cells in a row.
    pub(super) fn of(texts: &[&str], side: usize) -> PieceSet {
        let letters: Vec<char> = texts.iter().filter_map(|text| single(text)).filter(|c| c.is_alphabetic()).collect();
        let is_chess = |c: &char| CHESS.iter().any(|(letter, _)| *letter == c.to_ascii_lowercase());
        let king = letters.iter().any(|c| matches!(c, 'k' | 'K'));
        let chess = king && letters.iter().all(is_chess) || is_colored_chess(texts);
        let small_number = |text: &&&str| matches!(**text, "0" | "1" | "2");
        let zero_is_empty = texts.iter().filter(|text| text.parse::<i64>().is_ok()).all(|text| small_number(&text));
        PieceSet { chess, small: side <= SMALL, zero_is_empty, players: false, empty: None }
    }

    /// The same set, with one more text for an empty cell.
    pub(super) fn with_empty(self, empty: Option<String>) -> PieceSet {
        PieceSet { empty, ..self }
    }

    /// The same set, in which numbers are the pieces of the players if `players` is true.
    pub(super) fn with_players(self, players: bool) -> PieceSet {
        PieceSet { players, ..self }
    }

    /// Whether the pieces are those of chess.
    pub(super) fn is_chess(&self) -> bool {
        self.chess
    }

    /// The piece for a text; none for an empty cell. The piece has no square yet.
    pub(super) fn piece(&self, text: &str) -> Option<BoardPiece> {
        let is_empty = EMPTY.contains(&text) || self.empty.as_deref() == Some(text);
        if is_empty || (text == "0" && self.zero_is_empty) {
            return None;
        }
        let (name, count) = self.counted(text);
        let (shape, tone) = self.look(name);
        Some(BoardPiece { square: None, x: None, y: None, text: name.to_string(), shape, tone, count, card: None })
    }

    /// Splits a piece with a number, such as w5 for five pieces of White.
    fn counted<'t>(&self, text: &'t str) -> (&'t str, u64) {
        let Some(first) = text.chars().next().filter(|c| c.is_alphabetic()) else { return (text, 1) };
        let (name, digits) = text.split_at(first.len_utf8());
        match digits.parse() {
            Ok(count) if DARK.contains(&name) || LIGHT.contains(&name) => (name, count),
            _ => (text, 1),
        }
    }

    fn look(&self, text: &str) -> (PieceShape, Option<Tone>) {
        let lower = text.to_lowercase();
        let of_chess = single(&lower).and_then(|c| CHESS.iter().find(|(letter, _)| *letter == c));
        if let (true, Some((_, shape))) = (self.chess, of_chess) {
            return (*shape, Some(if lower == text { Tone::Dark } else { Tone::Light }));
        }
        if let (true, Some((color, shape))) = (self.chess, colored(&lower)) {
            return (shape, Some(color));
        }
        if let (true, "1" | "2" | "-1") = (self.players, text) {
            return (PieceShape::Disc, Some(if text == "1" { Tone::Dark } else { Tone::Light }));
        }
        let is_x = matches!(&*lower, "x" | "х");
        let is_o = matches!(&*lower, "o" | "о");
        // A crowned man has a capital letter.
        let is_crowned = lower != text && text.chars().count() == 1 && !is_x && !is_o;
        match () {
            () if self.small && is_x => (PieceShape::Cross, Some(Tone::One)),
            () if self.small && is_o => (PieceShape::Ring, Some(Tone::Two)),
            () if is_crowned && matches!(&*lower, "w" | "b") => {
                (PieceShape::King, Some(if lower == "b" { Tone::Dark } else { Tone::Light }))
            }
            () if DARK.contains(&&*lower) => (PieceShape::Disc, Some(Tone::Dark)),
            () if LIGHT.contains(&&*lower) => (PieceShape::Disc, Some(Tone::Light)),
            () if matches!(text, "#" | "█" | "■" | "⬛") => (PieceShape::Square, Some(Tone::Dark)),
            () if text == "|" => (PieceShape::Bar, Some(Tone::One)),
            () if matches!(text, "*" | "★") => (PieceShape::Star, Some(Tone::Three)),
            () => (PieceShape::Text, single(text).and_then(tone_of_letter)),
        }
    }
}

/// The colour and the shape of a chess piece such as `wn` or `bk`.
fn colored(text: &str) -> Option<(Tone, PieceShape)> {
    let mut chars = text.chars();
    let (color, letter) = (chars.next()?, chars.next()?);
    let tone = match color {
        'w' => Tone::Light,
        'b' => Tone::Dark,
        _ => return None,
    };
    let (_, shape) = CHESS.iter().find(|(known, _)| *known == letter)?;
    chars.next().is_none().then_some((tone, *shape))
}

/// Whether all pieces are written as `wn` and `bk` are, and a king is among them.
fn is_colored_chess(texts: &[&str]) -> bool {
    let mut pieces = texts.iter().filter(|text| text.chars().count() == 2 && text.chars().all(char::is_alphabetic));
    let king = texts.iter().any(|text| matches!(&*text.to_lowercase(), "wk" | "bk"));
    king && pieces.all(|text| colored(&text.to_lowercase()).is_some())
}

/// The colour of other letters and digits: capitals are light, small letters dark.
fn tone_of_letter(letter: char) -> Option<Tone> {
    match letter {
        c if c.is_uppercase() => Some(Tone::Light),
        c if c.is_lowercase() => Some(Tone::Dark),
        _ => None,
    }
}

/// The character of a text that has only one.
fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::{PieceSet, PieceShape, Tone};

    #[test]
    fn texts_become_pieces() {
        let look = |texts: &[&str], side, text: &str| {
            PieceSet::of(texts, side).piece(text).map(|piece| (piece.shape, piece.tone, piece.count))
        };
        assert_eq!(look(&["x", "."], 3, "x"), Some((PieceShape::Cross, Some(Tone::One), 1)));
        assert_eq!(look(&["x", "."], 8, "x"), Some((PieceShape::Disc, Some(Tone::Dark), 1)));
        assert_eq!(look(&["K", "p", "."], 8, "p"), Some((PieceShape::Pawn, Some(Tone::Dark), 1)));
        assert_eq!(look(&["b", "w", "."], 8, "b"), Some((PieceShape::Disc, Some(Tone::Dark), 1)));
        assert_eq!(look(&["w5", "."], 12, "w5"), Some((PieceShape::Disc, Some(Tone::Light), 5)));
        assert_eq!(look(&["0", "4"], 8, "0"), Some((PieceShape::Text, None, 1)));
        assert_eq!(look(&["0", "1"], 8, "0"), None);
        assert_eq!(look(&["x"], 3, "."), None);
        assert_eq!(look(&["wk", "bn", "e"], 8, "bn"), Some((PieceShape::Knight, Some(Tone::Dark), 1)));
        assert_eq!(look(&["wk", "xy", "e"], 8, "wk"), Some((PieceShape::Text, None, 1)));
        let players = PieceSet::of(&["0", "1", "2"], 5).with_players(true);
        assert_eq!(
            players.piece("2").map(|piece| (piece.shape, piece.tone)),
            Some((PieceShape::Disc, Some(Tone::Light)))
        );
        assert_eq!(players.piece("0"), None);
    }
}
