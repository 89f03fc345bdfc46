//! Tokens: their kinds, their places and their texts.

use alphorn_text::code::Code;
use alphorn_text::source::Span;
use alphorn_text::symbol::Atom;
use num_bigint::BigInt;
use std::sync::Arc;

/// The kind of a token, with its value.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// An atom without quotes.
    Name(Atom),
    /// An atom in quotes.
    Quoted(Atom),
    /// A variable: its name.
    Var(Arc<str>),
    /// An integer.
    Int(BigInt),
    /// A float.
    Float(f64),
    /// A text in double quotes.
    Text(Arc<str>),
    /// A text in back quotes: the list of its character codes.
    Codes(Arc<str>),
    /// One of `( ) [ ] { } , |`.
    Mark(char),
    /// An invalid token: the code, the message and the help of its problem.
    Broken(Code, String, String),
}

/// A token with its place.
#[derive(Clone, Debug)]
pub struct Token {
    /// The kind and the value.
    pub word: TokenKind,
    /// The place.
    pub span: Span,
    /// Whether blanks or a comment stand before it.
    pub spaced: bool,
}

/// The tokens of one sentence.
#[derive(Debug)]
pub struct TokenList {
    /// The tokens in order.
    pub tokens: Vec<Token>,
    /// The full stop, unless the text ends without one.
    pub stop: Option<Span>,
    /// The byte at which the next sentence begins.
    pub next: usize,
}

/// The text of some tokens, with single blanks between spaced tokens.
pub(super) fn written(tokens: &[Token]) -> String {
    let mut out = String::new();
    for (number, token) in tokens.iter().enumerate() {
        if number > 0 && token.spaced {
            out.push(' ');
        }
        out.push_str(&word_text(&token.word));
    }
    out
}

/// The text of a token.
pub(super) fn word_text(word: &TokenKind) -> String {
    match word {
        TokenKind::Name(name) => name.text().to_string(),
        TokenKind::Quoted(name) => format!("'{}'", name.text()),
        TokenKind::Var(name) => name.to_string(),
        TokenKind::Int(value) => value.to_string(),
        TokenKind::Float(value) => value.to_string(),
        TokenKind::Text(text) => format!("\"{text}\""),
        TokenKind::Codes(text) => format!("`{text}`"),
        TokenKind::Mark(mark) => mark.to_string(),
        TokenKind::Broken(..) => String::new(),
    }
}
