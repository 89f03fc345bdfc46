//! Text to words: the `pest` grammar of `grammar/alphorn.pest`, one sentence
//! at a time.
//!
//! In: a text and where to go on. Out: the words up to the next full stop,
//! numbers and quoted texts already decoded; what cannot be a word comes out
//! as [`TokenKind::Broken`] with the reason. Knows no operators.

use crate::lang::{escape, foreign, numeral, pasted};
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::Atom;
use num_bigint::BigInt;
use pest::Parser as _;
use std::sync::Arc;

use grammar::{Grammar, Rule};

/// The derive writes a public `Rule` without documentation.
#[allow(missing_docs)]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/alphorn.pest"]
    pub struct Grammar;
}

/// A word of the text.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// An atom without quotes.
    Name(Atom),
    /// An atom in quotes.
    Quoted(Atom),
    /// A variable's name.
    Var(Arc<str>),
    /// An integer.
    Int(BigInt),
    /// A float.
    Float(f64),
    /// A text in double quotes.
    Text(Arc<str>),
    /// A text in back quotes, which stands for the list of its codes.
    Codes(Arc<str>),
    /// One of `( ) [ ] { } , |`.
    Mark(char),
    /// No word: its code, what is wrong, and what to do.
    Broken(&'static str, String, String),
}

/// A word where it stands.
#[derive(Clone, Debug)]
pub struct Token {
    /// The word.
    pub word: TokenKind,
    /// Its place.
    pub span: Span,
    /// Whether blanks or a comment stand before it.
    pub spaced: bool,
}

/// The words of one sentence.
#[derive(Debug)]
pub struct TokenList {
    /// In order.
    pub tokens: Vec<Token>,
    /// The full stop, where there is one before the text ends.
    pub stop: Option<Span>,
    /// Where the next sentence begins.
    pub next: usize,
}

/// Reads the words of the sentence that begins at byte `from`.
pub fn words(source: SourceId, text: &str, from: usize) -> TokenList {
    sentences(source, text, from).swap_remove(0)
}

/// Reads the words up to the full stop. They are those of one sentence, or of several where quotes
/// that are never closed have swallowed the full stops of their lines.
pub(super) fn sentences(source: SourceId, text: &str, from: usize) -> Vec<TokenList> {
    let span = |start: usize, end: usize| Span { source, start: (from + start) as u32, end: (from + end) as u32 };
    let mut found = Vec::new();
    let mut out = TokenList { tokens: Vec::new(), stop: None, next: text.len() };
    let Ok(mut pairs) = Grammar::parse(Rule::sentence, &text[from..]) else {
        out.tokens.push(Token {
            word: TokenKind::Broken("A0101", "this text is too large".into(), "split it into smaller clauses".into()),
            span: span(0, text.len() - from),
            spaced: false,
        });
        return vec![out];
    };
    // Where the word before ends.
    let mut end = 0;
    for pair in pairs.next().into_iter().flat_map(|sentence| sentence.into_inner()) {
        let place = pair.as_span();
        if place.start() < end {
            // It is part of a number that is none.
            continue;
        }
        let here = span(place.start(), place.end());
        match pair.as_rule() {
            Rule::end => {
                out.stop = Some(here);
                out.next = from + place.end();
            }
            Rule::EOI => {}
            rule => {
                // The whole rest of the text is in the comment; its mark is enough.
                let here = if rule == Rule::unclosed_comment { span(place.start(), place.start() + 2) } else { here };
                let number = matches!(
                    rule,
                    Rule::integer | Rule::radix | Rule::based | Rule::float | Rule::special_float | Rule::char_code
                );
                if number && let Some((length, word)) = numeral::broken(place.as_str(), &text[from + place.end()..]) {
                    let spaced = place.start() > end;
                    end = place.end() + length;
                    out.tokens.push(Token { word, span: span(place.start(), end), spaced });
                    continue;
                }
                let word = word(rule, place.as_str());
                let closes = ends_line_with_stop(rule, place.as_str());
                out.tokens.push(Token { word, span: here, spaced: place.start() > end });
                if closes {
                    // An unclosed quote has swallowed the full stop of its line.
                    out.stop = Some(here.after());
                    out.next = from + place.end();
                    found.push(std::mem::replace(
                        &mut out,
                        TokenList { tokens: Vec::new(), stop: None, next: text.len() },
                    ));
                }
            }
        }
        end = place.end();
    }
    found.push(out);
    found
}

/// The number that a whole text is, and whether a minus stands before it. Makes no atom of what else stands there.
pub(super) fn number(text: &str) -> Option<(bool, TokenKind)> {
    let mut negative = false;
    for part in Grammar::parse(Rule::number, text).ok()?.next()?.into_inner() {
        match part.as_rule() {
            Rule::minus => negative = true,
            rule => return Some((negative, word(rule, part.as_str()))),
        }
    }
    None
}

fn ends_line_with_stop(rule: Rule, text: &str) -> bool {
    matches!(rule, Rule::unclosed_quoted | Rule::unclosed_string | Rule::unclosed_codes)
        && text.trim_end().ends_with('.')
}

fn word(rule: Rule, text: &str) -> TokenKind {
    let inside = || &text[1..text.len() - 1];
    let decoded = |make: fn(&str) -> TokenKind, quote: char| match escape::decode(inside(), quote) {
        Ok(text) => make(&text),
        Err(message) => TokenKind::Broken("A0104", message, "write \\\\ for a backslash".into()),
    };
    match rule {
        Rule::variable => TokenKind::Var(text.into()),
        Rule::name | Rule::symbol | Rule::solo => TokenKind::Name(Atom::read(text)),
        Rule::quoted => decoded(|text| TokenKind::Quoted(Atom::read(text)), '\''),
        Rule::string => decoded(|text| TokenKind::Text(text.into()), '"'),
        Rule::codes => decoded(|text| TokenKind::Codes(text.into()), '`'),
        Rule::integer => TokenKind::Int(numeral::integer(text, 10)),
        Rule::radix => TokenKind::Int(numeral::radix(text)),
        Rule::based => numeral::based(text),
        Rule::float => numeral::float(text),
        Rule::special_float => TokenKind::Float(if text.ends_with("Inf") { f64::INFINITY } else { f64::NAN }),
        Rule::char_code => match escape::decode(&text[2..], '\'') {
            Ok(c) if c.chars().count() == 1 => TokenKind::Int(c.chars().map(u32::from).sum::<u32>().into()),
            _ => TokenKind::Broken(
                "A0104",
                "this is not a character".into(),
                "write 0'a, 0'\\n or 0''' for a quote".into(),
            ),
        },
        Rule::punctuation => TokenKind::Mark(text.chars().next().expect("the grammar gives one character")),
        Rule::unclosed_quoted => TokenKind::Broken(
            "A0102",
            "this quote is never closed".into(),
            "add a ' at the end of the atom, or write '' for a quote inside it".into(),
        ),
        Rule::unclosed_string => {
            TokenKind::Broken("A0102", "this quote is never closed".into(), "add a \" at the end of the text".into())
        }
        Rule::unclosed_codes if pasted::is_fence(text) => {
            let help = "remove this line: it was copied with the rules, but it is not part of them";
            TokenKind::Broken("A0102", "this is a fence of Markdown".into(), help.into())
        }
        Rule::unclosed_codes => {
            TokenKind::Broken("A0102", "this quote is never closed".into(), "add a ` at the end of the text".into())
        }
        Rule::unclosed_comment => {
            TokenKind::Broken("A0103", "this comment is never closed".into(), "add */ where it ends".into())
        }
        _ => stray(text),
    }
}

/// A character that begins no word.
fn stray(text: &str) -> TokenKind {
    let c = text.chars().next().unwrap_or(' ');
    if foreign::is_unseen(c) {
        let message = format!("a rule cannot contain the invisible character U+{:04X}", u32::from(c));
        return TokenKind::Broken("A0105", message, "remove the character, or type the line again".into());
    }
    let help = foreign::character(c).unwrap_or("put the text in 'quotes', or remove the character");
    TokenKind::Broken("A0105", format!("a rule cannot contain `{text}`"), help.into())
}

/// Words as they stand in the text.
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

/// A word as it stands in the text.
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
