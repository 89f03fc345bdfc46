//! The pieces of a text: words, comments and full stops, with the layout before each.

use crate::lang::token::{Token, TokenKind, TokenList};

/// The distance of tab stops.
const TAB: usize = 8;

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// A name without quotes.
    Name,
    /// A bracket, a comma or a bar.
    Mark,
    /// A variable.
    Variable,
    /// Any other word.
    Word,
    /// A comment to the end of the line.
    LineComment,
    /// A comment between `/*` and `*/`.
    BlockComment,
    /// The full stop.
    Stop,
}

/// A word or a comment with the layout before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'t> {
    pub kind: PieceKind,
    pub text: &'t str,
    /// The line breaks between the piece before and this one.
    pub breaks: usize,
    /// The blanks before the piece, on its line.
    pub blanks: usize,
    /// The column of the piece in its line.
    pub column: usize,
    /// The byte in the text.
    pub start: usize,
    pub whole: &'t str,
}

impl<'t> Piece<'t> {
    /// The text from this piece on.
    pub(super) fn rest(&self) -> &'t str {
        &self.whole[self.start..]
    }

    pub(super) fn is_comment(&self) -> bool {
        matches!(self.kind, PieceKind::LineComment | PieceKind::BlockComment)
    }

    pub(super) fn is(&self, kind: PieceKind, text: &str) -> bool {
        self.kind == kind && self.text == text
    }

    pub(super) fn opens(&self) -> bool {
        self.kind == PieceKind::Mark && matches!(self.text, "(" | "[" | "{")
    }

    pub(super) fn closes(&self) -> bool {
        self.kind == PieceKind::Mark && matches!(self.text, ")" | "]" | "}")
    }
}

/// The pieces of one sentence, whose words begin at byte `from`.
pub(super) fn pieces<'t>(text: &'t str, from: usize, words: &TokenList) -> Vec<Piece<'t>> {
    let mut found = Vec::new();
    let mut at = from;
    let stop = words.stop.map(|span| (PieceKind::Stop, span));
    let tokens = words.tokens.iter().map(|token| (kind(token), token.span));
    for (kind, span) in tokens.chain(stop) {
        let (start, end) = (span.start as usize, span.end as usize);
        if start < at {
            continue;
        }
        comments(text, from, (at, start), &mut found);
        add(text, from, kind, (start, end), &mut found);
        at = end;
    }
    if words.stop.is_none() {
        comments(text, from, (at, text.len()), &mut found);
    }
    found
}

fn kind(token: &Token) -> PieceKind {
    match token.word {
        TokenKind::Name(_) => PieceKind::Name,
        TokenKind::Mark(_) => PieceKind::Mark,
        TokenKind::Var(_) => PieceKind::Variable,
        _ => PieceKind::Word,
    }
}

/// Adds the comments between two bytes.
fn comments<'t>(text: &'t str, begin: usize, (from, to): (usize, usize), found: &mut Vec<Piece<'t>>) {
    let mut at = from;
    while let Some(start) = text[at..to].find(|c: char| !c.is_whitespace()).map(|next| at + next) {
        let rest = &text[start..to];
        let (kind, length) = match rest.strip_prefix("/*") {
            Some(inside) => (PieceKind::BlockComment, inside.find("*/").map_or(rest.len(), |end| end + 4)),
            None => (PieceKind::LineComment, rest.find('\n').unwrap_or(rest.len())),
        };
        add(text, begin, kind, (start, start + length), found);
        at = start + length;
    }
}

/// Adds the piece between two bytes. The pieces begin at byte `from`.
fn add<'t>(text: &'t str, from: usize, kind: PieceKind, (start, end): (usize, usize), found: &mut Vec<Piece<'t>>) {
    let before = found.last().map_or(0, |last| last.start + last.text.len()).max(from);
    let layout = &text[before..start];
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let column = width(&text[line..start]);
    let breaks = layout.matches('\n').count();
    let blanks = if breaks == 0 { column - width(&text[line..before.max(line)]) } else { column };
    found.push(Piece { kind, text: &text[start..end], breaks, blanks, column, start, whole: text });
}

/// The column behind a text at the beginning of a line.
fn width(text: &str) -> usize {
    text.chars().fold(0, |column, c| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 })
}
